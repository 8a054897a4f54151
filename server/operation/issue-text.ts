import type { z } from "zod";

const KINDS: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "a boolean",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const kindOf = (expected: string) => KINDS[expected] ?? expected;

function show(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const UNITS: Record<string, string> = { string: " characters", array: " entries", set: " entries" };

/**
 * Returns the message for a faulty field, naming the value that was sent; undefined to use zod's own message.
 */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `Required: send ${kindOf(issue.expected)}.`
        : `Send ${kindOf(issue.expected)}, not ${show(issue.input)}.`;
    case "invalid_value": {
      const options = issue.values.map((value) => String(value)).join(", ");
      const wanted = issue.values.length === 1 ? options : `one of ${options}`;
      return issue.input === undefined
        ? `Required: send ${wanted}.`
        : `Send ${wanted}, not ${show(issue.input)}.`;
    }
    case "too_big":
      return `At most ${issue.maximum}${UNITS[issue.origin] ?? `, not ${show(issue.input)}`}.`;
    case "too_small":
      return `At least ${issue.minimum}${UNITS[issue.origin] ?? `, not ${show(issue.input)}`}.`;
    case "invalid_format":
      return `${show(issue.input)} has not the form that is asked for (${issue.format}).`;
    default:
      return undefined;
  }
}
