import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { notFenced } from "#db/frozen.ts";
import { runEventsDue, runs } from "#db/schema/runs.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { withoutContent } from "./kept-text.ts";
import { isRun, type RunRow, type RunView, toRuns } from "./queries.ts";

const BATCH = 50;
// An advisory lock's number that nothing else uses: one process emits at a time, so that a run's events keep their
// order.
const LOCK = 7_305_482_916;

/**
 * Emits the events of runs whose state has changed. The statement that changed the state has stored that its event is
 * due: none is lost, and no run waits for an event.
 */
export async function emitRunEvents(db: Db): Promise<void> {
  const [waiting] = await db.select().from(runEventsDue).where(notFenced(runEventsDue.accountId)).limit(1);
  if (!waiting) return;
  await db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${LOCK}) as locked`,
    );
    if (!lock?.locked) return;
    const due = await tx
      .select()
      .from(runEventsDue)
      .where(notFenced(runEventsDue.accountId))
      .orderBy(runEventsDue.accountId, runEventsDue.runId, runEventsDue.seq)
      .limit(BATCH);
    for (const { accountId, runId, seq } of due) {
      const [row] = await tx.select().from(runs).where(isRun(accountId, runId));
      const [run] = row ? await toRuns(tx, [row]) : [];
      if (row && run) await emitRunEvent(tx, row, asOf(run, seq));
      await tx
        .delete(runEventsDue)
        .where(
          and(
            eq(runEventsDue.accountId, accountId),
            eq(runEventsDue.runId, runId),
            eq(runEventsDue.seq, seq),
          ),
        );
    }
  });
}

/** Returns the run as it was at this timeline entry. */
function asOf(run: RunView, seq: number): RunView {
  const timeline = run.timeline.slice(0, seq);
  const status = timeline.at(-1)?.data?.status as RunView["status"];
  if (seq === run.timeline.length) return run;
  return { ...run, status, timeline, result: null, error: null, finishedAt: null, waitingFor: null };
}

async function emitRunEvent(tx: Transaction, row: RunRow, run: RunView): Promise<void> {
  const { accountId, projectId, endUserId, serviceId } = row;
  // Payloads that the privacy tier does not keep must not be kept for webhooks either.
  const kept = row.privacyTier === "standard" ? run : withoutContent(run);
  await emitEvent(tx, {
    accountId,
    projectId,
    endUserId,
    serviceId,
    resource: run.id,
    runId: run.id,
    type: `run.${run.status}`,
    data: { run: kept },
  });
}
