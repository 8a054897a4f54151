import type { Option } from "#components/ui/select.tsx";
import type { Condition } from "#server/webhooks/settings/schema.ts";

/** A condition while it is written: its value is a text, a list's values parted by commas. */
export interface ConditionRow {
  path: string;
  op: Condition["op"];
  value: string;
  /** The value that the text was made of: a text that is not changed stands for it, whatever else it may mean. */
  stored?: Condition["value"];
}

const WORDS: Record<Condition["op"], string> = {
  eq: "is",
  ne: "is not",
  in: "is one of",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  exists: "is there",
  prefix: "begins with",
};

export const operators: readonly Option[] = Object.entries(WORDS).map(([value, label]) => ({ value, label }));

type Single = Exclude<Condition["value"], unknown[] | undefined>;

const CONSTANTS = new Map<string, Single>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Numbers stay texts, which compare by what they amount to, digit for digit. */
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

/** The rows as a webhook's filter; null without any. */
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

/** A webhook's filter as rows to edit. */
export function rowsOf(filter: readonly Condition[] | null): ConditionRow[] {
  return (filter ?? []).map(({ path, op, value }) => ({
    path,
    op,
    value: rowText(op, value),
    stored: value,
  }));
}

/** `data.run.status is one of failed, expired`. */
export function inWords({ path, op, value }: Condition): string {
  if (op === "exists") return `${path} ${value === false ? "is not there" : WORDS.exists}`;
  return `${path} ${WORDS[op]} ${textOf(value)}`;
}
