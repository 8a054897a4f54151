import fc from "fast-check";
import { defined } from "#server/base/defined.ts";
import { isJsonSchema, type JsonSchema } from "#server/operation/json-schema.ts";

export type Schema = JsonSchema;

/** Schemas of the OpenAPI document by name, as `$ref` names them. */
export type Schemas = Record<string, Schema>;

const TYPE_ID = /^\^\(?([a-z|]+)\)?_\[0-7\]/;
const MAX_DEPTH = 5;
const MAX_ITEMS = 3;

/** Returns a token that stands for the id of an existing resource; replaced when the request is sent. */
export const idToken = (prefix: string, owner: string, pick: number) => `⟦${prefix} ${owner} ${pick}⟧`;

/** Generates ids of one kind: mostly of the caller's own resources, some of another account's, some of none. */
function idsOf(prefixes: string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...prefixes),
      fc.oneof(
        { weight: 8, arbitrary: fc.constant("own") },
        { weight: 1, arbitrary: fc.constantFrom("foreign", "missing") },
      ),
      fc.nat(1000),
    )
    .map(([prefix, owner, pick]) => idToken(prefix, owner, pick));
}

function strings({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const id = TYPE_ID.exec(String(pattern ?? ""))?.[1];
  if (id) return idsOf(id.split("|"));
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern), { size: "small" });
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "uri") return fc.constantFrom("http://127.0.0.1:9/", "https://peer.invalid/path?x=1#y");
  const bounds = { minLength: minLength, maxLength: Math.min(maxLength, 60) };
  return fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: "grapheme" }));
}

function numbers({ type, minimum, maximum }: Schema): fc.Arbitrary<number> {
  const bounds = {
    min: Math.ceil(minimum ?? -1000),
    max: Math.floor(maximum ?? 1000),
  };
  return type === "integer"
    ? fc.integer(bounds)
    : fc.oneof(fc.integer(bounds), fc.double({ ...bounds, noNaN: true }));
}

/** Creates the generator of values that a schema of the document allows. */
export function createValues(schemas: Schemas) {
  function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
    const examples = Array.isArray(schema.examples) ? schema.examples : [];
    const made = generated(schema, depth);
    // Examples reach furthest into a handler.
    return examples.length > 0 && !TYPE_ID.test(String(schema.pattern ?? ""))
      ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: made })
      : made;
  }

  function generated(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    if (typeof schema.$ref === "string")
      return valuesOf(defined(schemas[schema.$ref.replace("#/components/schemas/", "")]), depth);
    if ("const" in schema) return fc.constant(schema.const);
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return fc.oneof(...alternatives.map((alternative) => valuesOf(alternative, depth)));
    const types = [schema.type].flat();
    if (types.length > 1) return fc.oneof(...types.map((type) => generated({ ...schema, type }, depth)));
    switch (types[0]) {
      case "string":
        return strings(schema);
      case "integer":
      case "number":
        return numbers(schema);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array":
        return lists(schema, depth);
      case "object":
        return objects(schema, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  function lists(
    { items, minItems = 0, maxItems = MAX_ITEMS }: Schema,
    depth: number,
  ): fc.Arbitrary<unknown> {
    const minLength = minItems;
    const maxLength = depth > MAX_DEPTH ? minLength : Math.max(minLength, Math.min(maxItems, MAX_ITEMS));
    return fc.array(valuesOf(items ?? {}, depth + 1), { minLength, maxLength });
  }

  function objects(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const properties = Object.entries(schema.properties ?? {});
    const required = schema.required ?? [];
    const wanted = properties.filter(([name]) => depth <= MAX_DEPTH || required.includes(name));
    const known = fc.record(
      Object.fromEntries(wanted.map(([name, property]) => [name, valuesOf(property, depth + 1)])),
      { requiredKeys: required.filter((name) => wanted.some(([property]) => property === name)) },
    );
    const more = schema.additionalProperties;
    if (!isJsonSchema(more) || properties.length > 0) return known;
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), valuesOf(more, depth + 1), {
      maxKeys: MAX_ITEMS,
    });
  }

  return valuesOf;
}

const HOSTILE: unknown[] = [
  null,
  true,
  "",
  " ",
  0,
  -1,
  0.1,
  1e308,
  -1e-320,
  2 ** 53,
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e\u0301",
  "🧨".repeat(5000),
  "x".repeat(70_000),
  "../../../../etc/passwd",
  "%00%2e%2e%2f",
  "' or 1=1; --",
  "<script>alert(1)</script>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as an attacker sends it.
  "${7*7}{{7*7}}$(id)",
  "9".repeat(400),
  "1e400000",
  "0x",
  "Infinity",
  "2027-02-30T25:61:61Z",
  "+275760-09-13T00:00:00.001Z",
  [],
  {},
  [[[[[[[[]]]]]]]],
  { constructor: { prototype: { admin: true } } },
  JSON.parse('{"__proto__":{"admin":true}}'),
  Array.from({ length: 2000 }, (_, index) => index),
];

/** Values that almost no schema allows. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary" }),
);

type Path = (string | number)[];

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsIn(inner, [...path, name]);
}

function replaceAt(value: unknown, [first, ...rest]: Path, by: (old: unknown) => unknown): unknown {
  if (first === undefined) return by(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const inner = replaceAt(copy[first], rest, by);
  if (inner === undefined) delete copy[first];
  else copy[first] = inner;
  return copy;
}

/**
 * Generates the values with one part replaced by a hostile value, removed, wrapped in a list, or with an added field.
 */
export function nearly(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.oneof(
    hostile.map((value) => () => value),
    fc.constant(() => undefined),
    fc.constant((old: unknown) => [old, old]),
    fc.constant((old: unknown) =>
      typeof old === "object" && old !== null && !Array.isArray(old)
        ? { ...old, surprise: 1 }
        : JSON.stringify(old),
    ),
  );
  return fc.tuple(values, fc.nat(), change).map(([value, pick, by]) => {
    const paths = [...pathsIn(value)];
    return replaceAt(value, defined(paths[pick % paths.length]), by) ?? null;
  });
}
