import type { JsonSchema } from "#server/operation/json-schema.ts";

export type Components = Record<string, JsonSchema>;

const PREFIX = "#/components/schemas/";
const MAX_DEPTH = 4;
const MAX_OPTIONS = 8;

function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === "string"
    ? { ...components[$ref.slice(PREFIX.length)], ...schema, $ref: undefined }
    : schema;
}

/** Returns the alternatives of a schema except null. */
function alternatives(schema: JsonSchema, components: Components): JsonSchema[] {
  const parts = schema.anyOf ?? schema.oneOf;
  return (parts ?? [schema]).map((part) => resolve(part, components)).filter((part) => part.type !== "null");
}

function isNullable({ type, anyOf, oneOf }: JsonSchema): boolean {
  if (Array.isArray(type)) return type.includes("null");
  return [...(anyOf ?? oneOf ?? [])].some((part) => part.type === "null");
}

function plainType(schema: JsonSchema, components: Components): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if ("const" in schema) return `\`${schema.const}\``;
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type;
  if (type === "array") {
    const items = resolve(schema.items ?? {}, components);
    const words =
      Array.isArray(items.enum) && items.enum.length > MAX_OPTIONS ? "text" : typeOf(items, components);
    return `list of ${words}`;
  }
  if (schema.format === "date-time") return "time";
  return (
    { string: "text", integer: "integer", number: "number", boolean: "boolean", object: "object" }[
      String(type)
    ] ?? "any JSON"
  );
}

/** Returns a readable name of a schema's type. */
export function typeOf(schema: JsonSchema, components: Components): string {
  const resolved = resolve(schema, components);
  const words = alternatives(resolved, components).map((part) => plainType(part, components));
  return [...new Set(words), ...(isNullable(resolved) ? ["null"] : [])].join(" or ");
}

/** Returns a schema's own description, else that of the schema it refers to, with its default. */
export function descriptionOf(schema: JsonSchema, components: Components): string {
  const [part] = alternatives(schema, components);
  const own = schema.description ?? part?.description ?? resolve(part?.items ?? {}, components).description;
  const { default: standard } = schema;
  return [own, standard === undefined ? "" : `By default ${JSON.stringify(standard)}.`]
    .filter(Boolean)
    .join(" ");
}

/** Returns a row per field, nested fields below their parent: name, type, whether it is required, description. */
export function fieldRows(
  schema: JsonSchema,
  components: Components,
  prefix = "",
  depth = 0,
): [string, string, boolean, string][] {
  const { properties = {}, required = [] } = resolve(schema, components);
  return Object.entries(properties).flatMap(([name, property]) => {
    const resolved = resolve(property, components);
    const [part = resolved] = alternatives(resolved, components);
    const items = part.items ? resolve(part.items, components) : undefined;
    const inner = items?.properties ? items : part;
    const path = `${prefix}${name}${items?.properties ? "[]" : ""}`;
    const row: [string, string, boolean, string] = [
      path,
      typeOf(property, components),
      required.includes(name),
      descriptionOf(resolved, components),
    ];
    if (!inner.properties || depth >= MAX_DEPTH) return [row];
    return [row, ...fieldRows(inner, components, `${path}.`, depth + 1)];
  });
}
