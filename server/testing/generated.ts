import type fc from "fast-check";
import { type ZodType, z } from "zod";
import { createValues, type Schemas } from "./fuzz/values.ts";

/**
 * Returns a generator of a zod schema's values. It knows the rules that JSON Schema expresses, and may break others.
 */
export function generatedBy<Value>(schema: ZodType<Value>): fc.Arbitrary<Value> {
  const { $defs = {}, ...root } = z.toJSONSchema(schema) as { $defs?: Schemas };
  const named = Object.entries($defs).map(([name, definition]) => [`#/$defs/${name}`, definition]);
  return createValues(Object.fromEntries(named))(root) as fc.Arbitrary<Value>;
}
