import { counted, defineList, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { LEDGER_KINDS } from "#server/credits/kinds.ts";

export const kinds = wordsOf(LEDGER_KINDS, { usage: "Charge" });

export const ledgerList = defineList("statement", { search, kind: oneOf("Kind", kinds), ...period }, [
  "createdAt",
]).asking(counted);

/** The number of past days that the page shows. */
export const DAYS = 30;
export const balanceQuery = { historyDays: DAYS };

export const groupings = [
  { value: "service", label: "Service" },
  { value: "key", label: "Key" },
  { value: "project", label: "Project" },
] as const;

export type Grouping = (typeof groupings)[number]["value"];

/** Charges in these days, by day and by the grouping in the address. */
export function spendQueries(by: string, now = Date.now()) {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const from = new Date(today - (DAYS - 1) * DAY_MS).toISOString();
  const grouping: Grouping = groupings.find(({ value }) => value === by)?.value ?? "service";
  return {
    from,
    grouping,
    perDay: { from, groupBy: "day" as const },
    perGroup: { from, groupBy: grouping },
  };
}
