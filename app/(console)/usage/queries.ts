import { statusChoices } from "#app/(console)/audit/response-statuses.ts";
import { type PeriodFilters, periodOf } from "#app/(console)/usage/period.ts";
import { wordsOf } from "#components/table/list.ts";
import { OUTCOMES } from "#server/audit/outcomes.ts";

export const groupings = [
  { value: "operation", label: "Operations", one: "Operation" },
  { value: "service", label: "Services", one: "Service" },
  { value: "key", label: "Keys", one: "Key" },
  { value: "project", label: "Projects", one: "Project" },
  { value: "endUser", label: "End users", one: "End user" },
  { value: "status", label: "Statuses", one: "Status" },
] as const;

export type Grouping = (typeof groupings)[number]["value"];

/** The filters of the counted requests. */
export const narrowing = ["operation", "keyId", "memberId", "endUser", "outcome", "status"] as const;
export const outcomeChoices = wordsOf(OUTCOMES);
export const filterNames = ["period", "from", "to", ...narrowing, "by", "consoleReads"] as const;

const narrowed = ["projectId", "operation", "keyId", "memberId", "endUser"] as const;
type UsageFilters = PeriodFilters &
  Partial<Record<(typeof narrowed)[number] | "outcome" | "status" | "by" | "consoleReads", string>>;

/**
 * Returns the queries of the page. Reads made by the console itself are not counted unless the person wants them to be.
 */
export function usageQueries(filters: UsageFilters, now = Date.now()) {
  const period = periodOf(filters, now);
  const grouping = groupings.find(({ value }) => value === filters.by)?.value ?? "operation";
  const outcome = OUTCOMES.find((one) => one === filters.outcome);
  const isStatus = statusChoices.some(({ value }) => value === filters.status);
  const common = {
    ...period.query,
    ...Object.fromEntries(narrowed.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []))),
    ...(outcome && { outcome }),
    ...(isStatus && { status: Number(filters.status) }),
    consoleReads: filters.consoleReads === "on" ? ("include" as const) : ("exclude" as const),
  };
  return {
    period,
    grouping,
    overTime: { ...common, groupBy: period.step },
    perGroup: { ...common, groupBy: grouping },
  };
}
