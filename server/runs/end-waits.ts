import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { toUuid } from "#server/ids.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { ClaimedRun } from "./claim-runs.ts";
import type { Journal } from "./journal.ts";
import { askToEnd } from "./queries.ts";
import { stepPath } from "./run-context.ts";
import type { passageOf } from "./step-passage.ts";

interface Parts {
  run: ClaimedRun;
  db: Db;
  journal: Journal;
  passage: ReturnType<typeof passageOf>;
}

/**
 * Ends what the steps inside a block that has failed still wait for: events, callbacks, approvals and runs. With `failure`
 * the journal has that of the block from then on.
 */
export async function endWaits(
  { run, db, journal, passage: { goOn, traces } }: Parts,
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
    for (const id of ended.runIds) await askToEnd(tx, { accountId, runId: toUuid("run", id) });
    return ended.seen;
  });
  for (const waiting of traces.suspended.keys())
    if (isWithin(waiting, block)) traces.suspended.delete(waiting);
  goOn(seen);
}

/** Whether a name of the journal belongs to a step inside the block, as `end_waits` in SQL has it. */
export function isWithin(name: string, block: string): boolean {
  const [step, around] = [stepPath(name), stepPath(block)];
  return step.startsWith(`${around}.`) || step.startsWith(`${around}[`);
}
