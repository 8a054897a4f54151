import { expect, test } from "vitest";
import { costOf } from "#server/testing/cpu.ts";
import { jsonSchemaType, schemaFault } from "./json-schema.ts";

const MANY = 150_000;
const numbers = Array.from({ length: MANY }, (_, nth) => nth);
const issuesOf = (schema: Record<string, unknown>, value: unknown) =>
  jsonSchemaType(schema)
    .safeParse(value)
    .error?.issues.map(({ path, message }) => ({ path, message }));

test("a large value with a fault in each of its items costs hardly more than a right one", async () => {
  const type = jsonSchemaType({ type: "array", items: { type: "integer" } });
  const faulty = numbers.map((number) => number + 0.5);
  expect(type.safeParse(faulty).error?.issues).toMatchObject([
    { path: ["0"], message: "It must be integer." },
  ]);
  const ratio = async () =>
    (await costOf(() => type.safeParse(faulty))) / (await costOf(() => type.safeParse(numbers)));
  // Other processes that use the cores' caches make either slower.
  await expect.poll(ratio).toBeLessThan(2);
});

test("reports every fault of a small value", () => {
  const schema = { type: "array", items: { type: "integer" } };
  expect(issuesOf(schema, [0.5, 1, 1.5])).toEqual([
    { path: ["0"], message: "It must be integer." },
    { path: ["2"], message: "It must be integer." },
  ]);
});

test("finds equal items in a time that grows as their number does", async () => {
  const schema = { type: "array", uniqueItems: true };
  expect(
    issuesOf(schema, [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ]),
  ).toEqual([{ path: [], message: "It must NOT have duplicate items." }]);
  expect(issuesOf(schema, [1, "1", true, null, [1], { a: 1 }])).toBeUndefined();
  const type = jsonSchemaType(schema);
  const some = numbers.slice(0, 2000).map((number) => ({ number }));
  const tenfold = numbers.slice(0, 20_000).map((number) => ({ number }));
  const ratio = async () =>
    (await costOf(() => type.safeParse(tenfold))) / (await costOf(() => type.safeParse(some)));
  await expect.poll(ratio).toBeLessThan(40);
});

test.each([
  ["pattern", { type: "string", pattern: "^(a+)+$" }, (text: string) => text],
  ["propertyNames", { propertyNames: { pattern: "^(\\w+\\s?)*$" } }, (text: string) => ({ [text]: 1 })],
  [
    "patternProperties",
    { patternProperties: { "^(a|a)*$": { type: "integer" } } },
    (text: string) => ({ [text]: 1 }),
  ],
])("matches the %s of a schema in a time that grows as the text does", async (_, schema, wrap) => {
  const type = jsonSchemaType(schema);
  expect(type.safeParse(wrap("aaa")).success).toBe(true);
  const [some, tenfold] = [20_000, 200_000].map((length) => wrap(`${"a".repeat(length)}!`));
  const ratio = async () =>
    (await costOf(() => type.safeParse(tenfold))) / (await costOf(() => type.safeParse(some)));
  await expect.poll(ratio).toBeLessThan(40);
});

test("refuses patterns that can't be matched so, by name", () => {
  expect(schemaFault({ properties: { a: { pattern: "^(?=a)b$" } } })).toMatch(
    /pattern "\^\(\?=a\)b\$".*look-around/,
  );
  expect(schemaFault({ pattern: "^(a)\\1$" })).toMatch(/backreferences/);
  expect(schemaFault({ pattern: "^[A-Z]{2}\\p{L}+(?<rest>-\\d{1,3})?$" })).toBeNull();
});

test("reports a deep fault in a recursive schema", () => {
  const node = (op: string) => ({
    type: "object",
    required: ["op", "parts"],
    properties: { op: { const: op }, parts: { type: "array", items: { $ref: "#" } } },
  });
  const type = jsonSchemaType({ anyOf: [{ type: "integer" }, node("and"), node("or"), node("not")] });
  let value: unknown = "no number";
  for (let level = 0; level < 30; level++) value = { op: "not", parts: [value] };
  expect(type.safeParse(value).success).toBe(false);
});
