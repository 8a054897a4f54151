import type { Option } from "#components/ui/select.tsx";
import type { Condition } from "#server/webhooks/settings/schema.ts";

/** A condition while it is edited: its value is a text; a list's values are separated by commas. */
export interface ConditionRow {
  path: string;
  op: Condition["op"];
  value: string;
  /**
   * The value that the text was made from. An unchanged text keeps this value, even if it would be parsed differently.
   */
  stored?: Condition["value"];
}

export const operators: readonly Option<Condition["op"]>[] = [
  { value: "eq", label: "is" },
  { value: "ne", label: "is not" },
  { value: "in", label: "is one of" },
  { value: "gt", label: "is more than" },
  { value: "gte", label: "is at least" },
  { value: "lt", label: "is less than" },
  { value: "lte", label: "is at most" },
  { value: "exists", label: "is there" },
  { value: "prefix", label: "begins with" },
];

const wordsOf = (op: Condition["op"]) => operators.find(({ value }) => value === op)?.label ?? op;

type Single = Exclude<Condition["value"], unknown[] | undefined>;

const CONSTANTS = new Map<string, Single>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses a single value. Numbers stay texts, which the API compares by their numeric value. */
function singleOf(text: string): Single {
  const constant = CONSTANTS.get(text);
  return constant === undefined ? text : constant;
}

function sentValue({ op, value, stored }: ConditionRow): Condition["value"] {
  if (stored !== undefined && rowText(op, stored) === value) return stored;
  if (op === "exists") return value === "false" ? false : undefined;
  if (op === "prefix") return value;
  if (op === "in") return value.split(",").map((part) => singleOf(part.trim()));
  return singleOf(value);
}

/** Converts the rows to a webhook's filter; null if there are none. */
export function filterOf(rows: readonly ConditionRow[]): Condition[] | null {
  if (rows.length === 0) return null;
  return rows.map((row) => {
    const value = sentValue(row);
    return { path: row.path.trim(), op: row.op, ...(value !== undefined && { value }) };
  });
}

const textOf = (value: Condition["value"]) =>
  value === undefined ? "" : Array.isArray(value) ? value.map(String).join(", ") : String(value);

const rowText = (op: Condition["op"], value: Condition["value"]) =>
  op === "exists" && value === true ? "" : textOf(value);

/** Converts a webhook's filter to rows to edit. */
export function rowsOf(filter: readonly Condition[] | null): ConditionRow[] {
  return (filter ?? []).map(({ path, op, value }) => ({
    path,
    op,
    value: rowText(op, value),
    stored: value,
  }));
}

/** Describes a condition: `data.run.status is one of failed, expired`. */
export function inWords({ path, op, value }: Condition): string {
  if (op === "exists") return `${path} ${value === false ? "is not there" : wordsOf(op)}`;
  return `${path} ${wordsOf(op)} ${textOf(value)}`;
}
