import { isLive, type Run, runList } from "#app/(console)/runs/queries.ts";
import type { Values } from "#components/table/list.ts";

export type BulkAction = "cancel" | "retry" | "forget";

export const MOST_AT_ONCE = 100;

export function isBulkAction(text: string): text is BulkAction {
  return text === "cancel" || text === "retry" || text === "forget";
}

/** The newest runs that the filters let through; what did not fail is retried only where it is asked for. */
export function bulkQuery(action: BulkAction, filters: Values) {
  const failures = action === "retry" && !filters.status ? { failures: "on" } : {};
  return { ...runList.query({ ...filters, ...failures }), limit: MOST_AT_ONCE };
}

/** Those of them with which it can be done. */
export function hittable(action: BulkAction, runs: readonly Run[]): Run[] {
  return runs.filter((run) => {
    if (action === "cancel") return isLive(run) && run.status !== "cancelling";
    return !isLive(run) && run.forgottenAt === null;
  });
}
