import { z } from "zod";

/** A JSON Schema or another object of the OpenAPI document, typed for the fields that are read. */
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

/** True if a value within a schema is an object: a schema, or a map of schemas. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the JSON Schema of a zod schema. Our schemas have no tuples, and no boolean schemas where fields
 * are read.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  options: { io: "input" | "output"; unrepresentable?: "any" },
): JsonSchema {
  const made: unknown = z.toJSONSchema(schema, options);
  if (!isJsonSchema(made)) throw new TypeError("A JSON Schema is an object.");
  return made;
}
