import { z } from "zod";

/** A JSON Schema, or another object of the OpenAPI document, with the types of the fields that are read. */
export interface JsonSchema {
  [field: string]: unknown;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** Whether a value of a schema is an object, so that it is a schema, too, or has schemas in it. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON Schema of a zod schema. It has no `items` by place and no schema that is only true or false where fields are read. */
export function jsonSchemaOf(
  schema: z.ZodType,
  options: { io: "input" | "output"; unrepresentable?: "any" },
): JsonSchema {
  const made: unknown = z.toJSONSchema(schema, options);
  if (!isJsonSchema(made)) throw new TypeError("A JSON Schema is an object.");
  return made;
}
