import { sql } from "drizzle-orm";
import { toUuid } from "#server/ids.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { Journal } from "./journal.ts";
import { requestCancel } from "./queries.ts";
import { stepPath } from "./run-context.ts";
import type { StepParts } from "./step-lifecycle.ts";

/**
 * Ends what the steps inside a block that has failed still wait for: events, callbacks, approvals and runs. With `failure`
 * the journal has that of the block from then on.
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

/** Whether a name of the journal belongs to a step inside the block, as `end_waits` in SQL has it. */
export function isWithin(name: string, block: string): boolean {
  const [step, around] = [stepPath(name), stepPath(block)];
  return step.startsWith(`${around}.`) || step.startsWith(`${around}[`);
}
