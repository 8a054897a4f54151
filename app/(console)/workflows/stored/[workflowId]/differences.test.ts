import { expect, test } from "vitest";
import { differencesOf } from "./differences.ts";

const version = (steps: unknown[], more: { inputSchema?: unknown; description?: string } = {}) => ({
  definition: { name: "Restock", steps },
  inputSchema: more.inputSchema ?? null,
  workflow: { description: more.description ?? null },
});
const wait = (id: string, seconds: number) => ({ id, type: "wait", seconds });

test("lists the changes within a step, by the step's id", () => {
  const first = version([wait("a", 1), wait("b", 2)]);
  const second = version([wait("new", 5), wait("a", 1), wait("b", 3)]);
  expect(differencesOf(first, second)).toEqual([
    { what: "steps.order", first: "a, b", second: "new, a, b" },
    { what: "steps.b.seconds", first: "2", second: "3" },
    { what: "steps.new.type", first: null, second: "wait" },
    { what: "steps.new.seconds", first: null, second: "5" },
  ]);
});

test("lists the changes within nested steps, in the input schema and in the description", () => {
  const map = (text: string) => ({
    id: "each",
    type: "map",
    items: [],
    steps: [{ id: "note", content: text }],
  });
  const first = version([map("Tea")]);
  const second = version([map("Coffee")], { inputSchema: { type: "object" }, description: "Stronger." });
  expect(differencesOf(first, second)).toEqual([
    { what: "steps.each.steps.note.content", first: "Tea", second: "Coffee" },
    { what: "inputSchema.type", first: null, second: "object" },
    { what: "description", first: null, second: "Stronger." },
  ]);
  expect(differencesOf(first, first)).toEqual([]);
});
