import { isLive, type Run, runList } from "#app/(console)/runs/queries.ts";
import type { Values } from "#components/table/list.ts";

export type BulkAction = "cancel" | "retry" | "forget";

export const MAX_AT_ONCE = 100;

export function isBulkAction(text: string): text is BulkAction {
  return text === "cancel" || text === "retry" || text === "forget";
}

/** Returns the query of the newest runs that match the filters. A retry without a status filter is for failed runs. */
export function bulkQuery(action: BulkAction, filters: Values) {
  const failures = action === "retry" && !filters.status ? { failures: "on" } : {};
  return { ...runList.query({ ...filters, ...failures }), limit: MAX_AT_ONCE };
}

/** Returns the runs that the action can change. */
export function eligibleRuns(action: BulkAction, runs: readonly Run[]): Run[] {
  return runs.filter((run) => {
    if (action === "cancel") return isLive(run) && run.status !== "cancelling";
    return !isLive(run) && run.forgottenAt === null;
  });
}
