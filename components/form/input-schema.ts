/** The part of JSON Schema that a form can be generated from. */
export type JsonSchema = {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  default?: unknown;
};

/** A field of a form, by the control that suits it; `json` if no other control does. */
export type InputField = { name: string; description: string | undefined; required: boolean } & (
  | { control: "line" | "text" | "lines" | "yesno" | "json" }
  | { control: "choice"; choices: string[] }
  | { control: "number"; whole: boolean; minimum: number | undefined; maximum: number | undefined }
);

/** One way to fill a form in; a schema of alternatives has several. */
export type InputVariant = { title: string; fields: InputField[] };

const LONG_TEXT = 300;

/** Returns the ways to fill in an input of this schema; none if only JSON can express it. */
export function inputVariants(schema: JsonSchema): InputVariant[] {
  const root = resolve(schema, schema);
  const variants = (root.anyOf ?? root.oneOf ?? [root]).map((variant) => resolve(variant, schema));
  if (!variants.every(({ type, properties }) => type === "object" && properties)) return [];
  return variants.map(({ properties = {}, required = [], title }) => ({
    title: title ?? required.join(", "),
    fields: Object.entries(properties).map(([name, property]) =>
      fieldOf(name, property, required.includes(name), schema),
    ),
  }));
}

function fieldOf(name: string, property: JsonSchema, required: boolean, root: JsonSchema): InputField {
  const schema = withoutNull(resolve(property, root), root);
  const { description = property.description, type, minimum, maximum, items } = schema;
  const byDefault = schema.default === undefined ? null : `By default ${JSON.stringify(schema.default)}.`;
  const common = {
    name,
    required,
    description: [description, byDefault].filter(Boolean).join(" ") || undefined,
  };
  if (schema.enum?.every((value) => typeof value === "string"))
    return { ...common, control: "choice", choices: schema.enum };
  if (type === "string") return { ...common, control: isLong(name, schema) ? "text" : "line" };
  if (type === "integer" || type === "number")
    return { ...common, control: "number", whole: type === "integer", minimum, maximum };
  if (type === "boolean") return { ...common, control: "yesno" };
  if (type === "array" && items && resolve(items, root).type === "string")
    return { ...common, control: "lines" };
  return { ...common, control: "json" };
}

/** True if a text may be long: ids, formats and bounded texts are short. */
function isLong(name: string, { maxLength = Infinity, pattern, format }: JsonSchema): boolean {
  return maxLength > LONG_TEXT && !pattern && !format && !/(^i|I)d$/.test(name);
}

const MAX_REFERENCES = 8;

/** Follows a `$ref` to its definition, and further references from there. */
function resolve(schema: JsonSchema, root: JsonSchema, left = MAX_REFERENCES): JsonSchema {
  const { $ref, ...own } = schema;
  const target = root.$defs?.[$ref?.replace("#/$defs/", "") ?? ""];
  return target && left > 0 ? { ...resolve(target, root, left - 1), ...own } : schema;
}

/** Removes null from a schema: `string or null` is a string that may be left out. */
function withoutNull(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((name) => name !== "null");
    return others.length === 0 && type ? { ...schema, type } : schema;
  }
  const { anyOf = [], ...own } = schema;
  const [only, ...others] = anyOf.filter(({ type }) => type !== "null");
  return others.length === 0 && only ? { ...resolve(only, root), ...own } : schema;
}
