import { isJsonSchema, type JsonSchema } from "#server/operation/json-schema.ts";

/** A JSON Schema of the OpenAPI document. */
export type Schema = JsonSchema;

const COMPONENT = "#/components/schemas/";
const DEFINITION = "#/$defs/";

/** Returns the name that a reference points to. */
export function referred({ $ref }: Schema): string | undefined {
  return typeof $ref === "string" ? $ref.replace(COMPONENT, "").replace(DEFINITION, "") : undefined;
}

/** Returns a one-line comment for a declaration; empty without a text. */
export function comment(text: unknown, indent = ""): string {
  if (typeof text !== "string" || text === "") return "";
  const line = text.replaceAll("*/", "*\\/").replace(/\s*\n\s*/g, " ");
  return `${indent}/** ${line} */\n`;
}

const literal = (value: unknown) => JSON.stringify(value);
const property = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

/** Returns the TypeScript type of a schema. */
export function typeOf(schema: Schema, indent = ""): string {
  const name = referred(schema);
  if (name) return name;
  const { type, properties, additionalProperties, anyOf, oneOf, allOf } = schema;
  if ("const" in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return unionOf(schema.enum.map(literal));
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return unionOf(alternatives.map((part) => typeOf(part, indent)));
  if (Array.isArray(allOf)) return allOf.map((part) => typeOf(part, indent)).join(" & ");
  if (Array.isArray(type)) return unionOf(type.map((one) => typeOf({ ...schema, type: one }, indent)));
  switch (type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return arrayOf(typeOf(schema.items ?? {}, indent));
    case "object":
      if (properties && Object.keys(properties).length > 0) return fieldsOf(schema, indent);
      return isJsonSchema(additionalProperties)
        ? `Record<string, ${typeOf(additionalProperties, indent)}>`
        : additionalProperties === false
          ? "Record<string, never>"
          : "Record<string, unknown>";
    default:
      return "unknown";
  }
}

const arrayOf = (item: string) => (/[ |&]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`);

/** Returns the fields of an object type, between braces. */
function fieldsOf({ properties = {}, required = [] }: Schema, indent = ""): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    // Callers may pass undefined, which is not sent.
    const absent = optional ? " | undefined" : "";
    const type = typeOf(schema, inner);
    return `${comment(schema.description, inner)}${inner}${property(name)}${optional}: ${type}${type === "unknown" ? "" : absent};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

/** Returns the declaration of a type. */
export function declarationOf(name: string, schema: Schema): string {
  const isObject = schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
  const declared = isObject
    ? `export interface ${name} ${fieldsOf(schema)}\n`
    : `export type ${name} = ${typeOf(schema)};\n`;
  return `${comment(schema.description)}${declared}`;
}
