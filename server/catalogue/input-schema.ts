import { z } from "zod";
import { ContentFields } from "#server/operation/merged-input.ts";
import type { CatalogueAction } from "./actions.ts";

export type JsonSchema = Record<string, unknown> & { type: "object" };

/** Returns the JSON Schema of an input or output. Constraints that JSON Schema cannot express are left open. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
}

/** Returns the fields of path, query and body together, without those that the action's name implies. */
export function inputOf({ declared, capability }: CatalogueAction): z.ZodObject {
  const { params, query, body, raw } = declared;
  const { serviceId, operationId, ...rest } = { ...params?.shape, ...query?.shape, ...body?.shape };
  if (capability) return z.object({ ...rest, input: capability.input });
  const bytes = raw && { ...raw.headers.shape, ...ContentFields.shape };
  return z.object({ ...params?.shape, ...query?.shape, ...body?.shape, ...bytes });
}
