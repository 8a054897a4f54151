import { expect, test } from "vitest";
import { isWorthRepeating, outcomeSentence, readProblem } from "#components/ui/problem.ts";

test("a call without a response is described in the console's words, not in the browser's", () => {
  const cut = new TypeError("Failed to fetch");
  const problem = readProblem(Object.assign(new Error("Failed to fetch"), { cause: cut }));
  expect(problem).toMatchObject({ code: "unreachable", message: "The server did not answer." });
  expect(readProblem(cut).message).toBe("The server did not answer.");
  expect(outcomeSentence(problem)).toBe("Whether it took effect is not known; look before repeating it.");
});

test("keeps the problems that the API answers, and those of the console itself", () => {
  const error = { code: "already_exists", message: "A project with slug “shop” already exists." };
  expect(readProblem({ data: { error } })).toMatchObject(error);
  expect(readProblem(new Error("The file is too large.")).message).toBe("The file is too large.");
});

test("reports a lost race as one, and not as safe to try again", () => {
  const lost = { code: "state_conflict", operationState: "not_started", retryable: false } as const;
  const sentence = "Nothing was changed; look at it as it is now.";
  expect(outcomeSentence(readProblem({ error: lost }))).toBe(sentence);
  expect(
    outcomeSentence(readProblem({ error: { ...lost, code: "service_unavailable", retryable: true } })),
  ).toBe("Nothing was changed; it is safe to try again.");
});

test("offers to repeat what got no response, or may succeed later", () => {
  expect(isWorthRepeating(new TypeError("Failed to fetch"))).toBe(true);
  expect(isWorthRepeating({ data: { error: { code: "service_unavailable", retryable: true } } })).toBe(true);
  expect(isWorthRepeating({ data: { error: { code: "not_found", retryable: false } } })).toBe(false);
});

test("says that an upload which was cut off may be repeated", () => {
  const cut = { error: { code: "unreachable", retryable: true } };
  expect(isWorthRepeating(cut)).toBe(true);
  expect(outcomeSentence(readProblem(cut))).toBe("Trying again does not do it twice.");
});
