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

/** Returns every object of the document except examples, with the keys that lead to it. */
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

/** Returns the paths of schemas that occur more than once, grouped by the compared text. */
function repeated(compared: (place: Place) => string | null): string[][] {
  const groups = Map.groupBy(places, compared);
  groups.delete(null);
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ path }) => path.join("/")));
}

/** Returns a schema without its descriptions and examples. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isJsonSchema(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "description" && key !== "examples");
  return Object.fromEntries(kept.map(([key, child]) => [key, bare(child)]));
}

/** Returns the name of the field or parameter that a schema belongs to. */
const fieldOf = (path: readonly string[]) =>
  path.filter((key) => !["schema", "items", "anyOf", "0", "properties"].includes(key)).at(-1);

test("an object with more than three fields occurs once, with a name", () => {
  expect(
    repeated(({ schema: { properties, required } }) =>
      isJsonSchema(properties) && Object.keys(properties).length > 3
        ? JSON.stringify([bare(properties), required])
        : null,
    ),
  ).toEqual([]);
});

test("the values of a field occur once, with a name", () => {
  expect(
    repeated(({ path, schema }) =>
      Array.isArray(schema.enum) && schema.enum.length > 1
        ? JSON.stringify([fieldOf(path), schema.enum])
        : null,
    ),
  ).toEqual([]);
});

test("a parameter of three or more operations has a named schema with its description", () => {
  const groups = Map.groupBy(ownParameters, ({ schema: { name, in: where, description, schema } }) =>
    JSON.stringify([name, where, description, bare(schema)]),
  );
  const often = [...groups].filter(([, group]) => group.length > 2).map(([text]) => JSON.parse(text));
  expect(often.length).toBeGreaterThan(5);
  expect(often.filter(([, , description, schema]) => description !== null || !schema.$ref)).toEqual([]);
});

test("no schema has both a type and an `allOf`, which generators turn into `unknown`", () => {
  expect(
    places.filter(({ schema }) => schema.allOf && schema.type).map(({ path }) => path.join("/")),
  ).toEqual([]);
});

test("each parameter has a description, of its own or of its schema", () => {
  const { schemas } = document.components;
  const described = ({ description, schema }: JsonSchema) =>
    description ?? (isJsonSchema(schema) && schemas[`${schema.$ref}`.split("/").at(-1) ?? ""]?.description);
  const silent = ownParameters.filter(({ schema }) => !described(schema));
  expect(silent.map(({ path }) => path.join("/"))).toEqual([]);
});

test("no named schema is only a reference to another one", () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas).filter((name) => schemas[name]?.$ref)).toEqual([]);
});

test("objects and required fields have no examples, which generators copy into comments; media types show them", () => {
  const objects = places.filter(({ path, schema }) => path[1] === "schemas" && schema.properties);
  const shown = objects.flatMap(({ path, schema: { properties = {}, required = [], examples } }) => [
    ...(examples ? [path.join("/")] : []),
    ...required.filter((name) => properties[name]?.examples).map((name) => `${path.join("/")}/${name}`),
  ]);
  expect(shown).toEqual([]);
});

test("the description of an operation is one paragraph", () => {
  const operations = places.filter(({ schema }) => typeof schema.operationId === "string");
  expect(operations.length).toBeGreaterThan(90);
  expect(
    operations
      .filter(({ schema }) => `${schema.description}`.includes("\n"))
      .map(({ schema }) => schema.operationId),
  ).toEqual([]);
});

test("each event has one type, which it shares with the events that have the same data", () => {
  const { schemas } = document.components;
  const union = schemas.WebhookEvent?.oneOf ?? [];
  const fields = union.map(({ $ref }) => schemas[`${$ref}`.split("/").at(-1) ?? ""]?.allOf?.[1]?.properties);
  const data = fields.map((own) => own?.data?.$ref);
  const types = fields.flatMap((own) => own?.type?.enum ?? [own?.type?.const]);
  const media = "webhooks/event/post/requestBody/content/application/json";
  const sent = places.find(({ path }) => path.join("/") === media)?.schema.examples ?? {};
  expect(new Set(data).size).toBe(data.length);
  expect(types.length).toBeGreaterThan(60);
  expect(types.toSorted()).toEqual(Object.keys(sent).toSorted());
});
