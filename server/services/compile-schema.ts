import {
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import { RE2JS } from "re2js";
import type { Issue } from "#server/operation/errors.ts";

type RegExpEngine = NonNullable<NonNullable<Options["code"]>["regExp"]>;

/** A JSON Schema (2020-12) as an operator wrote it. */
export type JsonSchema = Record<string, unknown>;

/** Beyond this only the first fault is reported: to find every one takes each branch of a schema that refers to itself, at each level. */
export const EVERY_FAULT_LEVELS = 6;

/** Compiles a schema; throws where it is none. */
export function compile(schema: JsonSchema, allErrors = true): ValidateFunction {
  const code = { regExp: LINEAR };
  // A compiler of its own for each, so that two schemas may have the same `$id`. Unknown words are annotations.
  return new Ajv2020({ strict: false, allErrors, validateFormats: false, logger: false, code })
    .removeKeyword("uniqueItems")
    .addKeyword(UNIQUE_ITEMS)
    .compile(schema);
}

/** JavaScript's own expressions can take years for a text that somebody chose; these take a time that grows as the text does. */
const LINEAR: RegExpEngine = Object.assign(
  (pattern: string) => {
    const expression = linearExpression(pattern);
    // ajv tells expressions apart by their text.
    return { test: (text: string) => expression.test(text), toString: () => pattern };
  },
  { code: "linear" },
);

function linearExpression(pattern: string): RE2JS {
  new RegExp(pattern, "u");
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (cause) {
    const { message } = cause as Error;
    const why = "patterns are RE2's: without look-around and backreferences, repeated at most 1000 times";
    throw new Error(`pattern ${JSON.stringify(pattern)}: ${message}; ${why}`, { cause });
  }
}

/** ajv's own compares each item with each, which takes minutes for the longest lists that a body can have. */
const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (unique: boolean, items: unknown[]) =>
    !unique || new Set(items.map((item) => canonicalize(item))).size === items.length,
  error: { message: "must NOT have duplicate items" },
};

/** The most faults of a value that are named. */
export const MAX_ISSUES = 20;

/** A fault of a value, by its path within the value. */
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

/** Whether lists and objects within each other are more than so many. */
export function hasMoreLevels(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => hasMoreLevels(child, levels - 1));
}
