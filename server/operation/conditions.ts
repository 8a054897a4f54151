import { z } from "zod";

/** How a condition compares the value at its path: in webhooks' filters, and in `where` of triggers and awaited events. */
const CONDITION_OPERATORS = ["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists", "prefix"] as const;

export const ConditionOperator = z.enum(CONDITION_OPERATORS).meta({ id: "ConditionOperator" });

/** A decimal in a text, as amounts, prices and values in USD are sent; it means the same in SQL/JSON. */
export const DECIMAL = "^-?(0|[1-9][0-9]*)([.][0-9]+)?$";
const decimal = new RegExp(DECIMAL);

/** True if a value is a number, or a text that is one. */
export function isDecimal(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && decimal.test(value));
}

/** A condition as far as its value is judged by its operator. */
export interface Comparison {
  op: (typeof CONDITION_OPERATORS)[number];
  value?: unknown;
}

/**
 * Returns the fault of a condition's value. In the platform's events only numbers have an order. Events of others may hold
 * any data, and their texts are ordered too, as dates are.
 */
export function valueFault({ op, value }: Comparison, source: "platform" | "others"): string | null {
  switch (op) {
    case "in":
      if (!Array.isArray(value)) return 'in takes a list, like ["failed", "expired"].';
      if (value.length === 0) return "List at least one value.";
      return source === "platform" && value.some(isComposite)
        ? "in takes a list whose entries are each a text, a number, true, false or null."
        : null;
    case "exists":
      return value === undefined || typeof value === "boolean" ? null : "exists takes true or false.";
    case "prefix":
      return typeof value === "string" && value !== "" ? null : "prefix takes the beginning of a text.";
    case "eq":
    case "ne":
      return value === undefined || (source === "platform" && isComposite(value))
        ? `${op} takes one value: a text, a number, true, false or null.`
        : null;
    default:
      if (isDecimal(value)) return null;
      if (source === "platform") return `${op} compares numbers: send 12.5, or "12.5".`;
      return typeof value === "string" ? null : `${op} compares numbers and texts. Send one.`;
  }
}

const isComposite = (value: unknown) => typeof value === "object" && value !== null;
