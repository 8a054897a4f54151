import { sql } from "drizzle-orm";
import { toUuid } from "#server/base/ids.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { Journal } from "./journal.ts";
import { requestCancel } from "./queries.ts";
import { stepPath } from "./run-context.ts";
import type { StepParts } from "./step-lifecycle.ts";

/**
 * Ends the waits of the steps inside a failed block: for events, callbacks, approvals and runs. `failure` is then
 * stored in the journal.
 */
export async function endWaits(
  {
    run,
    db,
    journal,
    lifecycle: { assertRunning, execution },
  }: Pick<StepParts, "run" | "db" | "journal" | "lifecycle">,
  block: string,
  failure: Parameters<Journal["endWaits"]>[2] = null,
): Promise<void> {
  const { accountId, runId } = run.fence;
  const seen = await db.transaction(async (tx) => {
    const ended = await journal.endWaits(tx, block, failure);
    if (ended.approvalIds.length > 0) {
      const approvals = ended.approvalIds.map((id) => toUuid("approval", id));
      await tx.execute(sql`select cancel_approvals(${accountId}, ${runId}, ${sql.param(approvals)}::uuid[])`);
      publishChange(tx, run.accountId, "approvals");
    }
    for (const id of ended.runIds) await requestCancel(tx, { accountId, runId: toUuid("run", id) });
    return ended.seen;
  });
  for (const waiting of execution.suspended.keys())
    if (isWithin(waiting, block)) execution.suspended.delete(waiting);
  assertRunning(seen);
}

/** True if a journal name belongs to a step inside the block, like `end_waits` in SQL. */
export function isWithin(name: string, block: string): boolean {
  const [step, around] = [stepPath(name), stepPath(block)];
  return step.startsWith(`${around}.`) || step.startsWith(`${around}[`);
}
