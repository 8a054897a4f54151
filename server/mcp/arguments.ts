import type { z } from "zod";
import { invalidRequest, issuesOf } from "#server/operation/input.ts";

/** Returns a tool's validated arguments; reports every fault at once. */
export function argumentsOf<Schema extends z.ZodType>(schema: Schema, args: unknown): z.output<Schema> {
  const checked = schema.safeParse(args);
  if (!checked.success) throw invalidRequest(issuesOf(checked.error, "arguments"));
  return checked.data;
}
