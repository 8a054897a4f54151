import { expect, test } from "vitest";
import { PutWorkflow } from "#server/workflows/stored/schema.ts";
import { earlierOf, putInput } from "./stored-input.ts";

const content = {
  workflow: { name: "restock", version: 3, description: "Asks before it orders." },
  definition: { name: "Restock", steps: [{ id: "pause", type: "wait", seconds: 1 }] },
  inputSchema: { type: "object", properties: { day: { type: "integer" } } },
};

test("the next version keeps the previous one's values, unless they are changed", () => {
  const { workflow, definition, inputSchema } = content;
  const { description } = workflow;
  const sent = putInput({
    name: workflow.name,
    workflow: definition,
    description,
    earlier: earlierOf(content),
  });
  expect(sent).toEqual({ name: "restock", workflow: definition, inputSchema, description, ifVersion: 3 });
  // A new field of the operation must be added to this form.
  expect(Object.keys(sent).sort()).toEqual(Object.keys(PutWorkflow.shape).sort());
});

test("a first version has only the entered values", () => {
  const { definition } = content;
  const sent = putInput({ name: "restock", workflow: definition, description: "", earlier: null });
  expect(sent).toEqual({ name: "restock", workflow: definition });
});
