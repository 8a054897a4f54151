import { type PeriodFilters, periodOf } from "#app/(console)/usage/period.ts";

export const groupings = [
  { value: "operation", label: "Operation" },
  { value: "service", label: "Service" },
  { value: "key", label: "Key" },
  { value: "endUser", label: "End user" },
] as const;

export type Grouping = (typeof groupings)[number]["value"];

export const filterNames = ["period", "from", "to", "projectId", "by"] as const;

type UsageFilters = PeriodFilters & { projectId: string; by: string };

/** What the page asks for, so that the server can have it ready and the browser find it. */
export function usageQueries(filters: UsageFilters, now = Date.now()) {
  const period = periodOf(filters, now);
  const grouping = groupings.find(({ value }) => value === filters.by)?.value ?? "operation";
  const common = { ...period.query, ...(filters.projectId && { projectId: filters.projectId }) };
  return {
    period,
    grouping,
    perDay: { ...common, groupBy: "day" as const },
    perGroup: { ...common, groupBy: grouping },
  };
}
