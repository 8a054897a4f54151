import { z } from "zod";
import { messageOf } from "#server/base/thrown.ts";
import { EVERY_FAULT_VALUES, hasMoreValues } from "#server/operation/input.ts";
import {
  compile,
  EVERY_FAULT_LEVELS,
  hasMoreLevels,
  issueOf,
  type JsonSchema,
  MAX_ISSUES,
} from "./compile-schema.ts";

/** Returns why a schema cannot be used, or null. */
export function schemaFault(schema: JsonSchema): string | null {
  try {
    compile(schema);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns a zod type that validates by the JSON Schema, and is converted back to the same schema. */
export function jsonSchemaType(schema: JsonSchema): z.ZodType {
  const findAll = compile(schema);
  const findFirst = compile(schema, false);
  return z
    .unknown()
    .superRefine((value, context) => {
      const large = hasMoreValues(value, EVERY_FAULT_VALUES) || hasMoreLevels(value, EVERY_FAULT_LEVELS);
      const validate = large ? findFirst : findAll;
      if (validate(value)) return;
      for (const error of validate.errors?.slice(0, MAX_ISSUES) ?? []) {
        const { path, message } = issueOf(error);
        context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
      }
    })
    .meta(schema);
}
