import { DECIMAL, isDecimal } from "#server/operation/conditions.ts";
import type { Condition } from "./schema.ts";

/** Returns the columns of a filter; a filter without conditions is none. */
export function filterColumns(filter: readonly Condition[] | null) {
  const conditions = filter ?? [];
  return conditions.length > 0
    ? { filter: [...conditions], filterPath: compileFilter(conditions) }
    : { filter: null, filterPath: null };
}

const NUMBER = `(@.type() == "number" || @ like_regex ${JSON.stringify(DECIMAL)})`;
const COMPARISONS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/**
 * Compiles conditions to one SQL/JSON predicate, which the database evaluates when it fans events out: no customer's
 * code is executed, and in `strict` mode a path selects one value, so that no predicate takes longer than its own
 * length.
 */
function compileFilter(conditions: readonly Condition[]): string {
  const readsData = ({ path }: Condition) => path.startsWith("data.");
  const inData = conditions.filter(readsData).map(compileCondition);
  const beside = conditions.filter((condition) => !readsData(condition)).map(compileCondition);
  // The data of an event beyond 20 KB is not sent, and so no condition on it can be met.
  const judged = inData.length > 0 ? [`($."data"."truncated" == true || (${inData.join(" && ")}))`] : [];
  return `strict ${[...beside, ...judged].join(" && ")}`;
}

function compileCondition(condition: Condition): string {
  const at = ["$", ...condition.path.split(".").map((name) => JSON.stringify(name))].join(".");
  const { op, value } = condition;
  switch (op) {
    case "eq":
      return equals(at, [value]);
    case "ne":
      return `(exists(${at}) && !${equals(at, [value])})`;
    case "in":
      return equals(at, Array.isArray(value) ? value : [value]);
    case "prefix":
      return `exists(${at} ? (@ starts with ${JSON.stringify(value)}))`;
    case "exists":
      return value === false
        ? `((exists(${at})) is unknown || !exists(${at} ? (@ != null)))`
        : `exists(${at} ? (@ != null))`;
    default:
      return `exists(${at} ? ${NUMBER}.number() ? (@ ${COMPARISONS[op]} ${value}))`;
  }
}

/** Returns the predicate that a value is one of these: numbers and decimals in texts are compared by amount. */
function equals(at: string, values: readonly unknown[]): string {
  const numbers = values.filter((value) => isDecimal(value));
  const others = values.filter((value) => !isDecimal(value));
  const anyOf = (literals: string[]) => literals.map((literal) => `@ == ${literal}`).join(" || ");
  const found = [
    ...(numbers.length > 0 ? [`exists(${at} ? ${NUMBER}.number() ? (${anyOf(numbers.map(String))}))`] : []),
    ...(others.length > 0
      ? [`exists(${at} ? (${anyOf(others.map((value) => JSON.stringify(value)))}))`]
      : []),
  ];
  return `(${found.join(" || ")})`;
}
