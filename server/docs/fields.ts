import type { Json } from "#server/transports/openapi/schemas.ts";

export type Components = Record<string, Json>;

const PREFIX = "#/components/schemas/";
const MAX_DEPTH = 4;
const MAX_OPTIONS = 8;

function resolve(schema: Json, components: Components): Json {
  const { $ref } = schema;
  return typeof $ref === "string"
    ? { ...components[$ref.slice(PREFIX.length)], ...schema, $ref: undefined }
    : schema;
}

/** The alternatives of a schema but null. */
function alternatives(schema: Json, components: Components): Json[] {
  const parts = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return (parts ?? [schema]).map((part) => resolve(part, components)).filter((part) => part.type !== "null");
}

function isNullable({ type, anyOf, oneOf }: Json): boolean {
  if (Array.isArray(type)) return type.includes("null");
  return [...((anyOf ?? oneOf ?? []) as Json[])].some((part) => part.type === "null");
}

function plainType(schema: Json, components: Components): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if ("const" in schema) return `\`${schema.const}\``;
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type;
  if (type === "array") {
    const items = resolve((schema.items ?? {}) as Json, components);
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

/** A schema's type in words. */
export function typeOf(schema: Json, components: Components): string {
  const resolved = resolve(schema, components);
  const words = alternatives(resolved, components).map((part) => plainType(part, components));
  return [...new Set(words), ...(isNullable(resolved) ? ["null"] : [])].join(" or ");
}

function descriptionOf(schema: Json, components: Components): string {
  const [part] = alternatives(schema, components);
  const own =
    schema.description ?? part?.description ?? resolve((part?.items ?? {}) as Json, components).description;
  const { default: standard } = schema;
  return [own, standard === undefined ? "" : `By default ${JSON.stringify(standard)}.`]
    .filter(Boolean)
    .join(" ");
}

/** A row per field, those within it below it: name, type, whether it is required, meaning. */
export function fieldRows(
  schema: Json,
  components: Components,
  prefix = "",
  depth = 0,
): [string, string, boolean, string][] {
  const { properties = {}, required = [] } = resolve(schema, components);
  return Object.entries(properties as Components).flatMap(([name, property]) => {
    const resolved = resolve(property, components);
    const [part = resolved] = alternatives(resolved, components);
    const items = part.items ? resolve(part.items as Json, components) : undefined;
    const inner = items?.properties ? items : part;
    const path = `${prefix}${name}${items?.properties ? "[]" : ""}`;
    const row: [string, string, boolean, string] = [
      path,
      typeOf(property, components),
      (required as string[]).includes(name),
      descriptionOf(resolved, components),
    ];
    if (!inner.properties || depth >= MAX_DEPTH) return [row];
    return [row, ...fieldRows(inner, components, `${path}.`, depth + 1)];
  });
}
