import { type PeriodFilters, periodOf } from "#app/(console)/usage/period.ts";

export const groupings = [
  { value: "operation", label: "Operation" },
  { value: "service", label: "Service" },
  { value: "key", label: "Key" },
  { value: "endUser", label: "End user" },
] as const;

export type Grouping = (typeof groupings)[number]["value"];

export const filterNames = ["period", "from", "to", "projectId", "by", "consoleReads"] as const;

type UsageFilters = PeriodFilters & { projectId: string; by: string; consoleReads: string };

/** What the page asks for; what people only looked at in the console is left out unless they want it counted. */
export function usageQueries(filters: UsageFilters, now = Date.now()) {
  const period = periodOf(filters, now);
  const grouping = groupings.find(({ value }) => value === filters.by)?.value ?? "operation";
  const common = {
    ...period.query,
    ...(filters.projectId && { projectId: filters.projectId }),
    consoleReads: filters.consoleReads === "on" ? ("include" as const) : ("exclude" as const),
  };
  return {
    period,
    grouping,
    perDay: { ...common, groupBy: "day" as const },
    perGroup: { ...common, groupBy: grouping },
  };
}
