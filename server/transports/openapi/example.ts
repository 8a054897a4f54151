import type { JsonSchema } from "#server/operation/json-schema.ts";

const PREFIX = "#/components/schemas/";

/** The examples of a media type, if any. */
export interface Examples {
  default: { value: unknown };
}

/**
 * Returns the example of a parameter or body. Code generators copy `example` into comments of dozens of lines, but
 * not `examples`.
 */
export function exampleIn(value: unknown): { examples: Examples } {
  return { examples: { default: { value } } };
}

/** Returns a value that fits the schema: its own example if present, else one built from its parts. */
export function exampleOf(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  name = "value",
): unknown {
  const { $ref, examples, anyOf, oneOf, allOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof $ref === "string") {
    const target = components[$ref.slice(PREFIX.length)];
    if (!target) throw new Error(`No component ${$ref}.`);
    return exampleOf(target, components, name);
  }
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice) return exampleOf(choice, components, name);
  if (Array.isArray(allOf))
    return Object.assign({}, ...allOf.map((part) => exampleOf(part, components, name)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return exampleObject(schema, components);
    case "array":
      return schema.items ? [exampleOf(schema.items, components, name)] : [];
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "string":
      return exampleText(schema, name);
    default:
      return null;
  }
}

function exampleObject(
  { properties = {}, required = [] }: JsonSchema,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(wanted.map(([name, schema]) => [name, exampleOf(schema, components, name)]));
}

function exampleText({ format, minLength }: JsonSchema, name: string): string {
  if (format === "date-time") return "2027-01-31T12:00:00.000Z";
  if (format === "uri") return "https://example.com/";
  if (format === "email") return "person@example.com";
  return name.padEnd(minLength ?? 0, "-");
}

/** Returns the fields of an example that is an object, so that more can be added. */
export function fieldsOf(example: unknown): object {
  return typeof example === "object" && example !== null ? example : {};
}
