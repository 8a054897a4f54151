import { z } from "zod";
import type { Action } from "./action.ts";

export type JsonSchema = Record<string, unknown> & { type: "object" };

/** JSON Schema of what a caller sends, or is sent. What it can't express is left open. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
}

/** The fields of path, query and body together, without those that the action's name says already. */
export function inputOf({ operation: { params, query, body }, target }: Action): z.ZodObject {
  const { serviceId, operationId, ...rest } = { ...params?.shape, ...query?.shape, ...body?.shape };
  if (target) return z.object({ ...rest, input: target.capability.input });
  return z.object({ ...params?.shape, ...query?.shape, ...body?.shape });
}
