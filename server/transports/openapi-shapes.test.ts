import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isJsonSchema, type JsonSchema } from "#server/operation/json-schema.ts";

const document: JsonSchema & { components: { schemas: Record<string, JsonSchema> } } = JSON.parse(
  readFileSync(new URL("./openapi.json", import.meta.url), "utf8"),
);

interface Place {
  path: string[];
  schema: JsonSchema;
}

/** Every object of the document, with the keys that lead to it; examples aside. */
function placesIn(value: unknown, path: string[] = []): Place[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      placesIn(item, [...path, isJsonSchema(item) && typeof item.name === "string" ? item.name : `${index}`]),
    );
  if (!isJsonSchema(value)) return [];
  const within = Object.entries(value).filter(([key]) => key !== "example" && key !== "examples");
  return [{ path, schema: value }, ...within.flatMap(([key, child]) => placesIn(child, [...path, key]))];
}

const places = placesIn(document);
const ownParameters = places.filter(({ path, schema }) => path.at(-2) === "parameters" && !schema.$ref);

/** The paths of those that stand more than once, by what they are compared by. */
function repeated(compared: (place: Place) => string | null): string[][] {
  const groups = Map.groupBy(places, compared);
  groups.delete(null);
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ path }) => path.join("/")));
}

/** A schema without what only people read. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isJsonSchema(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "description" && key !== "examples");
  return Object.fromEntries(kept.map(([key, child]) => [key, bare(child)]));
}

/** The name of the field or parameter that a schema belongs to. */
const fieldOf = (path: readonly string[]) =>
  path.filter((key) => !["schema", "items", "anyOf", "0", "properties"].includes(key)).at(-1);

test("an object of more than three fields stands in it once, under a name", () => {
  expect(
    repeated(({ schema: { properties, required } }) =>
      isJsonSchema(properties) && Object.keys(properties).length > 3
        ? JSON.stringify([bare(properties), required])
        : null,
    ),
  ).toEqual([]);
});

test("the values of a field stand in it once, under a name", () => {
  expect(
    repeated(({ path, schema }) =>
      Array.isArray(schema.enum) && schema.enum.length > 1
        ? JSON.stringify([fieldOf(path), schema.enum])
        : null,
    ),
  ).toEqual([]);
});

test("a parameter of three operations and more has a schema with a name, which describes it", () => {
  const groups = Map.groupBy(ownParameters, ({ schema: { name, in: where, description, schema } }) =>
    JSON.stringify([name, where, description, bare(schema)]),
  );
  const often = [...groups].filter(([, group]) => group.length > 2).map(([text]) => JSON.parse(text));
  expect(often.length).toBeGreaterThan(5);
  expect(often.filter(([, , description, schema]) => description !== null || !schema.$ref)).toEqual([]);
});

test("no type stands beside an `allOf`, of which generators make `unknown`", () => {
  expect(
    places.filter(({ schema }) => schema.allOf && schema.type).map(({ path }) => path.join("/")),
  ).toEqual([]);
});

test("each parameter is described, by itself or by its schema", () => {
  const { schemas } = document.components;
  const described = ({ description, schema }: JsonSchema) =>
    description ?? (isJsonSchema(schema) && schemas[`${schema.$ref}`.split("/").at(-1) ?? ""]?.description);
  const silent = ownParameters.filter(({ schema }) => !described(schema));
  expect(silent.map(({ path }) => path.join("/"))).toEqual([]);
});

test("no named schema is a reference to another one", () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas).filter((name) => schemas[name]?.$ref)).toEqual([]);
});
