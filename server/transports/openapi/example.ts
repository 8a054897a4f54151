import type { Json } from "./schemas.ts";

const PREFIX = "#/components/schemas/";

/** The examples of a media type, where it has one. */
export interface Examples {
  default: { value: unknown };
}

/** The example of a parameter or of a body. Generators copy `example` into comments, dozens of lines each; not these. */
export function exampleIn(value: unknown): { examples: Examples } {
  return { examples: { default: { value } } };
}

/** A value that fits the schema: its own example where it has one, else made of its parts. */
export function exampleOf(schema: Json, components: Record<string, Json>, name = "value"): unknown {
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
  const [choice] = (anyOf ?? oneOf ?? []) as Json[];
  if (choice) return exampleOf(choice, components, name);
  if (Array.isArray(allOf))
    return Object.assign({}, ...allOf.map((part) => exampleOf(part as Json, components, name)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return exampleObject(schema, components);
    case "array":
      return schema.items ? [exampleOf(schema.items as Json, components, name)] : [];
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

function exampleObject({ properties = {}, required = [] }: Json, components: Record<string, Json>): Json {
  const wanted = Object.entries(properties as Record<string, Json>).filter(([name]) =>
    (required as string[]).includes(name),
  );
  return Object.fromEntries(wanted.map(([name, schema]) => [name, exampleOf(schema, components, name)]));
}

function exampleText({ format, minLength }: Json, name: string): string {
  if (format === "date-time") return "2027-01-31T12:00:00.000Z";
  if (format === "uri") return "https://example.com/";
  if (format === "email") return "person@example.com";
  return name.padEnd((minLength as number | undefined) ?? 0, "-");
}
