import { z } from "zod";
import type { CatalogueAction } from "./actions.ts";

export type JsonSchema = Record<string, unknown> & { type: "object" };

/** JSON Schema of what a caller sends, or is sent. What it can't express is left open. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
}

/** The fields of path, query and body together, without those that the action's name says already. */
export function inputOf({ declared: { params, query, body }, capability }: CatalogueAction): z.ZodObject {
  const { serviceId, operationId, ...rest } = { ...params?.shape, ...query?.shape, ...body?.shape };
  if (capability) return z.object({ ...rest, input: capability.input });
  return z.object({ ...params?.shape, ...query?.shape, ...body?.shape });
}
