import { expect, test } from "vitest";
import { keylessIssues, NO_KEY } from "#components/form/keyless.ts";

test("a value without a key is a fault of its field", () => {
  const values = {
    name: "Shop",
    tags: ["a"],
    input: { "": 1 },
    metadata: { tier: "gold", [NO_KEY]: "lost" },
  };
  expect(keylessIssues(values)).toEqual([
    { path: "metadata", message: "A value has no key. Type one, or remove the row." },
  ]);
});

test("values with keys, and empty values, have none", () => {
  expect(keylessIssues({ metadata: { tier: "gold" }, headers: {}, expiresAt: null })).toEqual([]);
});
