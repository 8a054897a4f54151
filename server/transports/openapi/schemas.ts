import { z } from "zod";
import { isJsonSchema, type JsonSchema, jsonSchemaOf } from "#server/operation/json-schema.ts";
import type { Operation } from "#server/operation/operation.ts";

/** A part of the document. */
export type Json = Record<string, unknown>;
type Direction = "input" | "output";

const REF = "#/$defs/";

/**
 * Returns the JSON Schemas of operations. A schema with an id (`.meta({ id })`) becomes a component; if requests use
 * a different form of it than responses, that form is named `…Input`. `sent` are the schemas of the platform's events.
 */
export function collectSchemas(operations: readonly Operation[], sent: readonly z.ZodType[] = []) {
  const answers = new Map<string, JsonSchema>();
  const requests = new Map<string, JsonSchema>();
  for (const schema of sent) hoist(schema, "output", answers);
  for (const operation of operations) {
    const streamed = Object.values(operation.stream?.events ?? {}).map(({ data }) => z.object({ data }));
    for (const schema of [operation.output, ...Object.values(operation.errorFields ?? {}), ...streamed])
      hoist(schema, "output", answers);
    for (const schema of [
      operation.params,
      operation.query,
      operation.body?.strict(),
      operation.raw?.headers,
    ])
      if (schema) hoist(schema, "input", requests);
  }
  const different = differing(requests, answers);
  const nameOf = (id: string, io: Direction) => (io === "input" && different.has(id) ? `${id}Input` : id);

  return {
    /** Returns the JSON Schema, with references to components. */
    convert: (schema: z.ZodType, io: Direction): JsonSchema =>
      referred(hoist(schema, io, new Map()), (id) => nameOf(id, io)),
    components(): Record<string, JsonSchema> {
      const all = [
        ...[...answers].map(([id, schema]) => [id, "output", schema] as const),
        ...[...requests]
          .filter(([id]) => different.has(id) || !answers.has(id))
          .map(([id, schema]) => [id, "input", schema] as const),
      ].map(([id, io, schema]) => [nameOf(id, io), referred(schema, (other) => nameOf(other, io))] as const);
      return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

/** Returns the plain JSON Schema; adds its named definitions to `into`. */
function hoist(schema: z.ZodType, io: Direction, into: Map<string, JsonSchema>): JsonSchema {
  const { $schema: _, $defs = {}, ...root } = jsonSchemaOf(schema, { io });
  const definitions = Object.entries($defs);
  const any = new Set(definitions.filter(([, definition]) => isAnyJson(definition)).map(([id]) => id));
  for (const [id, definition] of definitions) {
    if (any.has(id)) continue;
    if (id.startsWith("__"))
      throw new Error(`Name the recursive schema by .meta({ id }): ${JSON.stringify(root)}`);
    into.set(id, tidy(definition, io, any));
  }
  return tidy(root, io, any);
}

/** True for `z.json()`, which becomes a recursive union of all JSON values; an empty schema means the same. */
function isAnyJson({ anyOf }: JsonSchema): boolean {
  return Array.isArray(anyOf) && anyOf.length === 6;
}

function tidyValue(value: unknown, io: Direction, any: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => tidyValue(item, io, any));
  return isJsonSchema(value) ? tidy(value, io, any) : value;
}

function tidy(schema: JsonSchema, io: Direction, any: ReadonlySet<string>): JsonSchema {
  const { $ref, ...rest } = schema;
  if (typeof $ref === "string" && any.has($ref.slice(REF.length))) return rest;
  const tidied: JsonSchema = {};
  for (const [key, child] of Object.entries(schema)) {
    // Response objects are open, since a field may be added at any time.
    if (io === "output" && key === "additionalProperties" && child === false) continue;
    // The format implies the pattern, which is 400 characters long.
    if (key === "pattern" && rest.format === "date-time") continue;
    // The bounds of exact integers, which zod adds to every integer.
    if (key === "minimum" && child === Number.MIN_SAFE_INTEGER) continue;
    if (key === "maximum" && child === Number.MAX_SAFE_INTEGER) continue;
    tidied[key] = key === "examples" || key === "default" ? child : tidyValue(child, io, any);
  }
  return tidied;
}

/** Returns the ids whose definition differs between requests and responses, directly or through a reference. */
function differing(requests: Map<string, JsonSchema>, answers: Map<string, JsonSchema>): Set<string> {
  const shared = [...requests].filter(([id]) => answers.has(id));
  const texts = shared.map(([id, schema]) => [id, JSON.stringify(schema)] as const);
  const ids = new Set(
    texts.filter(([id, text]) => text !== JSON.stringify(answers.get(id))).map(([id]) => id),
  );
  for (let size = -1; size !== ids.size; ) {
    size = ids.size;
    for (const [id, text] of texts)
      if ([...ids].some((other) => text.includes(`"${REF}${other}"`))) ids.add(id);
  }
  return ids;
}

function referredValue(value: unknown, nameOf: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => referredValue(item, nameOf));
  return isJsonSchema(value) ? referred(value, nameOf) : value;
}

function referred(schema: JsonSchema, nameOf: (id: string) => string): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, child]) =>
      key === "$ref" && typeof child === "string"
        ? [key, `#/components/schemas/${nameOf(child.slice(REF.length))}`]
        : [key, referredValue(child, nameOf)],
    ),
  );
}
