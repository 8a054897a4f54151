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

/**
 * Returns the runs that the action can change. A retry leaves out succeeded runs, which would do their work again, unless
 * all have succeeded.
 */
export function eligibleRuns(action: BulkAction, runs: readonly Run[]): Run[] {
  if (action === "cancel") return runs.filter((run) => isLive(run) && run.status !== "cancelling");
  const ended = runs.filter((run) => !isLive(run) && run.forgottenAt === null);
  const others = action === "retry" ? ended.filter(({ status }) => status !== "succeeded") : [];
  return others.length > 0 ? others : ended;
}

/** Says which of the runs the action leaves out because they succeeded; empty if none is. */
export function leftOutText(action: BulkAction, runs: readonly Run[]): string {
  if (action !== "retry") return "";
  const succeeded = runs.filter(({ status }) => status === "succeeded").length;
  if (succeeded === 0 || eligibleRuns(action, runs).some(({ status }) => status === "succeeded")) return "";
  return succeeded === 1
    ? "One that succeeded is left out: it would do its work again."
    : `${succeeded} that succeeded are left out: they would do their work again.`;
}
