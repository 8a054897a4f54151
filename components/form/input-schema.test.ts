import { expect, test } from "vitest";
import { inputVariants } from "./input-schema.ts";

const controls = (schema: object) =>
  inputVariants(schema).map(({ fields }) => fields.map(({ name, control }) => `${name}: ${control}`));

test("gives each property the control that suits it", () => {
  const schema = {
    type: "object",
    required: ["content"],
    properties: {
      content: { type: "string" },
      name: { type: "string", maxLength: 200 },
      id: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 25 },
      urgent: { type: "boolean" },
      mode: { enum: ["fast", "exact"] },
      metadata: { type: "object", additionalProperties: {} },
      points: { type: "array", items: { type: "number" } },
    },
  };
  expect(controls(schema)).toEqual([
    [
      "content: text",
      "name: line",
      "id: line",
      "tags: lines",
      "limit: number",
      "urgent: yesno",
      "mode: choice",
      "metadata: json",
      "points: json",
    ],
  ]);
  const fields = inputVariants(schema)[0]?.fields ?? [];
  expect(fields[0]?.required).toBe(true);
  expect(fields[1]?.required).toBe(false);
  expect(fields[4]?.description).toBe("By default 25.");
});

test("makes a variant of each alternative, named by its required field", () => {
  const one = (name: string) => ({
    type: "object",
    properties: { [name]: { type: "string", maxLength: 200 } },
    required: [name],
  });
  expect(inputVariants({ anyOf: [one("id"), one("name")] }).map(({ title }) => title)).toEqual([
    "id",
    "name",
  ]);
});

test("follows references, and treats null as optional", () => {
  const schema = {
    $ref: "#/$defs/Input",
    $defs: {
      Input: {
        type: "object",
        properties: { note: { anyOf: [{ $ref: "#/$defs/Note" }, { type: "null" }] } },
      },
      Note: { type: "string", maxLength: 10 },
    },
  };
  expect(controls(schema)).toEqual([["note: line"]]);
});

test("leaves schemas other than objects with known properties to JSON", () => {
  expect(inputVariants({ type: "string" })).toEqual([]);
  expect(inputVariants({})).toEqual([]);
});
