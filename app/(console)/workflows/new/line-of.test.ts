import { expect, test } from "vitest";
import { lineOf } from "./line-of.ts";

const text = `{
  "name": "A \\"quoted\\", bracketed ] name",
  "steps": [
    { "id": "a", "type": "wait", "seconds": -1.5e3 },
    {
      "id": "b", "cases": [],
      "else": [ { "id": "c" },
        { "id": "d" }
      ]
    }
  ]
}`;

test.each([
  ["", 1],
  ["name", 2],
  ["steps", 3],
  ["steps.0.seconds", 4],
  ["steps.1", 5],
  ["steps.1.else.0.id", 7],
  ["steps.1.else.1.id", 8],
])("finds the line of %j", (path, line) => {
  expect(lineOf(text, path)).toBe(line);
});

test("finds the line where a field is missing", () => {
  expect(lineOf(text, "steps.1.concurrency")).toBe(5);
  expect(lineOf("{ not JSON", "steps")).toBeNull();
});
