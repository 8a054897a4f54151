import { expect, test } from "vitest";
import { splitInput } from "#server/operation/merged-input.ts";
import { operations } from "#server/operations.ts";
import { listProjects } from "#server/projects/list-projects.ts";
import { readProject } from "#server/projects/read-project.ts";
import { updateProject } from "#server/projects/update-project.ts";

const id = "proj_01jzzzzzzzzzzzzzzzzzzzzzzz";

test("passes each field where the operation declares it, and unknown fields where they are refused", async () => {
  const update = splitInput(updateProject, { projectId: id, name: "Shop", nam: "Shop" });
  expect([update.params, update.readQuery(), await update.readBody()]).toEqual([
    { projectId: id },
    {},
    { name: "Shop", nam: "Shop" },
  ]);
  const read = splitInput(readProject, { projectId: id, nam: "Shop" });
  expect([read.params, read.readQuery(), await read.readBody()]).toEqual([
    { projectId: id },
    { nam: "Shop" },
    undefined,
  ]);
});

test("writes query fields as a query carries them, and names those that it can't", () => {
  const split = splitInput(listProjects, { limit: 5, status: undefined });
  expect(split.readQuery()).toEqual({ limit: "5" });
  const faulty = splitInput(listProjects, { limit: [5], status: null });
  expect(() => faulty.readQuery()).toThrow("limit: Send it as text or a number. (and 1 more)");
});

test("takes a field called __proto__ as a field", async () => {
  const { readBody } = splitInput(
    updateProject,
    JSON.parse(`{ "projectId": "${id}", "__proto__": { "a": 1 } }`),
  );
  const body = (await readBody()) as object;
  expect(Object.keys(body)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
});

test.each([[["a"]], ["text"], [7]])("names an input that has no fields: %j", async (input) => {
  const split = splitInput(updateProject, input);
  expect(() => split.readQuery()).toThrow("input: Send an object of fields.");
  await expect(split.readBody()).rejects.toThrow("input: Send an object of fields.");
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "finds no name of %s in two places",
  (_, { params, query, body }) => {
    const names = [params, query, body].flatMap((schema) => Object.keys(schema?.shape ?? {}));
    expect(names).toEqual([...new Set(names)]);
  },
);
