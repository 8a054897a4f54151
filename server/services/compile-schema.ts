import {
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import { RE2JS } from "re2js";
import { messageOf } from "#server/base/thrown.ts";
import type { Issue } from "#server/operation/errors.ts";

type RegExpEngine = NonNullable<NonNullable<Options["code"]>["regExp"]>;

/** A JSON Schema (2020-12) written by an operator. */
export type JsonSchema = Record<string, unknown>;

/**
 * Deeper values are checked up to their first fault only: finding every fault visits each branch of a recursive
 * schema at each level.
 */
export const EVERY_FAULT_LEVELS = 6;

/** Compiles a schema; throws if it is invalid. */
export function compile(schema: JsonSchema, allErrors = true): ValidateFunction {
  const code = { regExp: LINEAR };
  // A separate compiler for each schema, so that two may have the same `$id`. Unknown keywords are annotations.
  return new Ajv2020({ strict: false, allErrors, validateFormats: false, logger: false, code })
    .removeKeyword("uniqueItems")
    .addKeyword(UNIQUE_ITEMS)
    .compile(schema);
}

/** JavaScript's regular expressions can take exponential time for chosen texts; these take linear time. */
const LINEAR: RegExpEngine = Object.assign(
  (pattern: string) => {
    const expression = linearExpression(pattern);
    // ajv distinguishes expressions by their text.
    return { test: (text: string) => expression.test(text), toString: () => pattern };
  },
  { code: "linear" },
);

function linearExpression(pattern: string): RE2JS {
  new RegExp(pattern, "u");
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (cause) {
    const why = "patterns are RE2's: without look-around and backreferences, repeated at most 1000 times";
    throw new Error(`pattern ${JSON.stringify(pattern)}: ${messageOf(cause)}; ${why}`, { cause });
  }
}

/** ajv's own implementation compares all pairs, which takes minutes for the longest possible lists. */
const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (unique: boolean, items: unknown[]) =>
    !unique || new Set(items.map((item) => canonicalize(item))).size === items.length,
  error: { message: "must NOT have duplicate items" },
};

/** The maximum number of faults that are listed for a value. */
export const MAX_ISSUES = 20;

/** Returns a fault with its path within the value. */
export function issueOf({ instancePath, keyword, params, message = "is not valid" }: ErrorObject): Issue {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keyword === "required")
    return { path: [...path, params.missingProperty].join("."), message: "Required." };
  if (keyword === "additionalProperties")
    return { path: [...path, params.additionalProperty].join("."), message: "Unknown field." };
  if (keyword === "enum")
    return { path: path.join("."), message: `Send one of ${JSON.stringify(params.allowedValues)}.` };
  return { path: path.join("."), message: `It ${message}.` };
}

/** True if lists and objects are nested deeper than `levels`. */
export function hasMoreLevels(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => hasMoreLevels(child, levels - 1));
}
