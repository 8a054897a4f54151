import type fc from "fast-check";
import { type ZodType, z } from "zod";
import { createValues, type Schemas } from "./fuzz/values.ts";

/** Makes what generates values of a zod schema, as far as JSON Schema tells them; rules beyond it may be broken. */
export function generatedBy<Value>(schema: ZodType<Value>): fc.Arbitrary<Value> {
  const { $defs = {}, ...root } = z.toJSONSchema(schema) as { $defs?: Schemas };
  const named = Object.entries($defs).map(([name, definition]) => [`#/$defs/${name}`, definition]);
  return createValues(Object.fromEntries(named))(root) as fc.Arbitrary<Value>;
}
