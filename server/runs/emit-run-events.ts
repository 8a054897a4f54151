import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { runs } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, NIL_UUID } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { isDatabaseGone, isStatementTimeout } from "#server/operation/faults.ts";
import { withoutContent } from "./kept-text.ts";
import { type RunRow, type RunView, toRuns } from "./queries.ts";
import { createSetbacks } from "./setbacks.ts";

/** The most events of one account before those of the next. */
const BATCH = 10;
/** How long an event waits for a lock: others wait behind it. */
const LOCK_MS = 1000;
/** An event with more timeline entries passes the maximum size of an event in any case, and is sent without its data. */
const MOST_ENTRIES = 256;
// An advisory lock's number that nothing else uses: one process emits at a time, so that a run's events keep their
// order.
const LOCK = 7_305_482_916;

interface DueEvent extends Record<string, unknown> {
  /** UUIDs. */
  account_id: string;
  run_id: string;
  /** The number of the timeline entry with the run's new state. */
  seq: number;
  /** Null if the run is gone. */
  status: RunView["status"] | null;
}

/**
 * Returns a function that emits a few events of runs whose state has changed, in turn by account, and returns whether
 * more may be due. The statement that changed the state has stored that its event is due: none is lost, and no run waits
 * for an event. A run whose events fail rests, and delays no other.
 */
export function createRunEventEmitter(db: Db): () => Promise<boolean> {
  const setbacks = createSetbacks();
  let served = NIL_UUID;

  /** Emits events of one account one run after the other, since one of its runs fails. */
  async function emitByRun(due: readonly DueEvent[]): Promise<void> {
    for (const [runId, ofRun] of Map.groupBy(due, ({ run_id }) => run_id)) {
      try {
        await db.transaction((tx) => emitDue(tx, ofRun));
        setbacks.clear(runId);
      } catch (error) {
        if (isLost(error)) throw error;
        setbacks.add(runId, Number.POSITIVE_INFINITY);
        log.warn("A run's event was not emitted; it is tried again.", { runId: idOf("run", runId), error });
      }
    }
  }

  return async () => {
    const due = await db.execute<DueEvent>(sql`
      select * from next_run_events(${served}, ${sql.param(setbacks.resting())}::uuid[], ${BATCH})`);
    const [first] = due;
    if (!first) return false;
    served = first.account_id;
    try {
      return await db.transaction((tx) => emitDue(tx, due));
    } catch (error) {
      if (isLost(error)) throw error;
      await emitByRun(due);
      return true;
    }
  };
}

const isLost = (error: unknown) => isDatabaseGone(error) && !isStatementTimeout(error);

/** Emits those of an account's events that are still due; returns false if another process emits. */
async function emitDue(tx: Transaction, due: readonly DueEvent[]): Promise<boolean> {
  const [lock] = await tx.execute<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(${LOCK}) as locked, set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`);
  if (!lock?.locked) return false;
  const { account_id } = defined(due[0]);
  const accountId = idOf("account", account_id);
  const removed = await tx.execute<{ run_id: string; seq: number }>(sql`
    delete from run_announcements a
    using unnest(${sql.param(due.map(({ run_id }) => run_id))}::uuid[], ${sql.param(due.map(({ seq }) => seq))}::int[]) d(run_id, seq)
    where a.account_id = ${account_id} and a.run_id = d.run_id and a.seq = d.seq
    returning a.run_id, a.seq`);
  const still = new Set(removed.map(({ run_id, seq }) => `${run_id} ${seq}`));
  const events = due.filter(({ run_id, seq }) => still.has(`${run_id} ${seq}`));
  if (events.length === 0) return true;
  const ids = [...new Set(events.map(({ run_id }) => idOf("run", run_id)))];
  const rows = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.accountId, accountId), inArray(runs.id, ids)));
  const views = await toRuns(tx, rows, { entries: MOST_ENTRIES });
  const found = new Map(rows.map((row, nth) => [row.id, { row, run: defined(views[nth]) }]));
  // Sent together, in their order.
  await Promise.all(
    events.map(({ run_id, seq, status }) => {
      const { row, run } = found.get(idOf("run", run_id)) ?? {};
      return row && run && status && emitRunEvent(tx, row, asOf(row, run, seq, status));
    }),
  );
  return true;
}

/** Returns the run as it was at this timeline entry. */
function asOf({ lastSeq }: RunRow, run: RunView, seq: number, status: RunView["status"]): RunView {
  const timeline = run.timeline.filter((entry) => entry.seq <= seq);
  if (seq === lastSeq) return { ...run, timeline };
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
