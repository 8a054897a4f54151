import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { openPool } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { idOf, NIL_UUID } from "#server/base/ids.ts";
import type { Liveness } from "#server/base/liveness.ts";
import { log } from "#server/base/log.ts";
import { createPolling } from "#server/base/polling.ts";
import { listenForWakeUps } from "#server/base/wake-ups.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { platform } from "#server/platform.ts";
import { type Boundary, createDelayedStarter } from "./begin-delayed.ts";
import { type ClaimedRun, claimRuns } from "./claim-runs.ts";
import { createRunEventEmitter } from "./emit-run-events.ts";
import { executeRun } from "./execute-run.ts";
import { followEnds } from "./follow-ends.ts";
import { Stopped, type StopReason } from "./run-context.ts";
import { createRunWriter } from "./run-writer.ts";
import { createSetbacks } from "./setbacks.ts";
import { recordCharges } from "./settle-run.ts";
import type { Control } from "./step-lifecycle.ts";

const POLL_MS = 250;
const EXPIRE_BATCH = 100;
const GRACE_MS = 15_000;
/** How long a step may continue after its account was frozen. */
const FROZEN_MS = 5000;

export interface EngineOptions {
  /** For queries; a transaction pooler may stand in front of it. */
  url: string;
  /** Past any pooler, for LISTEN. */
  directUrl: string;
  liveness: Liveness;
  /** The maximum number of runs at the same time. */
  slots?: number;
  /** The maximum of one account at the same time, so that other accounts' runs find a free slot. */
  perAccount?: number;
  /** Lets tests end the process at a boundary between transactions. */
  reached?: (boundary: Boundary) => void;
}

interface RunningRun extends Control {
  run: ClaimedRun;
  done: Promise<void>;
}

/** The kinds of periodic work that is due. */
interface DueWork extends Record<string, unknown> {
  expired: boolean;
  delayed: boolean;
  ended: boolean;
  changed: boolean;
}

const expiresInMs = (run: ClaimedRun) => run.expiresAt.getTime() - run.now();

/** Returns how to do work beside other work, once at a time; a failure is logged. */
function createSideWork(failing: string, work: () => Promise<void>) {
  let running: Promise<void> | undefined;
  return {
    /** Begins the work unless it is being done. */
    start(): void {
      running ??= work()
        .catch((error) => log.warn(failing, { error }))
        .finally(() => {
          running = undefined;
        });
    },
    /** Resolves when nothing is being done. */
    done: async () => running,
  };
}

/**
 * Claims and executes runs until it is stopped. Any number of processes may run it on one database. It claims on
 * wake-ups, and by polling in case one was lost.
 */
export async function startRunEngine(options: EngineOptions) {
  const { url, directUrl, liveness, slots = 16, perAccount = 8, reached } = options;
  const pool = openPool(url, CONNECTIONS.runs, { pooled: directUrl !== url });
  const writer = createRunWriter(pool.db);
  const running = new Map<string, RunningRun>();
  const setbacks = createSetbacks();
  let served = NIL_UUID;
  let maintainedAt = Number.NEGATIVE_INFINITY;
  let stopping = false;

  const polling = createPolling({
    turn,
    pauseMs: POLL_MS,
    failing: "Runs could not be claimed; it is tried again.",
  });
  const unsubscribe = platform().wakeUps.on("runs", polling.wake);
  const unlisten = await listenForWakeUps(directUrl, "runs", polling.wake);

  function leave(why: StopReason, which: Iterable<RunningRun> = running.values()) {
    for (const { abort } of which) abort.abort(new Stopped(why));
  }
  // Without its lock, other workers consider this one dead and claim its runs.
  const unwatch = liveness.onLost(() => leave("lost"));

  function start(run: ClaimedRun): void {
    const control: Control = { abort: new AbortController(), halted: false };
    const entry: RunningRun = Object.assign(control, { run, done: Promise.resolve() });
    running.set(run.fence.runId, entry);
    const expiry = setTimeout(() => leave("expired", [entry]), Math.min(expiresInMs(run), 2 ** 31 - 1));
    entry.done = executeRun(pool.db, writer, run, control)
      .catch((error) => log.warn("A run was left.", { runId: run.id, error }))
      .then((outcome) => {
        clearTimeout(expiry);
        if (outcome === "interrupted") setbacks.add(run.fence.runId, expiresInMs(run));
        else setbacks.clear(run.fence.runId);
        // This same worker may have claimed it again.
        if (running.get(run.fence.runId) === entry) running.delete(run.fence.runId);
        // Its parent waits for it and must be woken before the next poll.
        if (run.depth > 0) maintainedAt = Number.NEGATIVE_INFINITY;
        polling.wake();
      });
  }

  /**
   * Leaves a run at its next step, or during a step that takes longer; it is claimed again once its account is thawed.
   */
  function handBack(entry: RunningRun): void {
    if (entry.halted) return;
    entry.halted = true;
    setTimeout(() => leave("halted", [entry]), FROZEN_MS).unref();
  }

  /**
   * Does the periodic work: leaves runs that were lost, frozen or cancelled; ends, starts and wakes runs that are due.
   */
  async function maintain(): Promise<void> {
    const seen = [...running.values()];
    const resting = setbacks.resting();
    const mine = [...seen.map(({ run }) => run.fence.runId), ...resting];
    const rows = await pool.db.execute<{ id: string; fence: number; status: string }>(
      sql`select * from maintain_runs(${liveness.name}, ${sql.param(mine)}::uuid[])`,
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const entry of seen) {
      const row = found.get(entry.run.fence.runId);
      if (row?.fence !== entry.run.fence.fence) leave("lost", [entry]);
      else if (row.status === "frozen") handBack(entry);
      else if (row.status === "cancelling") leave("cancelled", [entry]);
    }
    for (const runId of resting) if (found.get(runId)?.status === "cancelling") setbacks.wake(runId);
    const [due] = await pool.db.execute<DueWork>(sql`select * from due_run_work()`);
    if (!due) return;
    if (due.expired) await expire();
    if (due.delayed) beginning.start();
    // Expired runs have ends, and both lead to events.
    if (due.expired || due.ended) await followEnds(pool.db);
    if (due.expired || due.ended || due.changed) emitting.start();
  }

  // Both may wait for a lock, and take long if many runs are due.
  const beginNext = createDelayedStarter(pool.db, reached);
  const beginning = createSideWork("Delayed runs could not be started; it is tried again.", async () => {
    if (await beginNext()) polling.wake();
  });
  const emitNext = createRunEventEmitter(pool.db);
  const emitting = createSideWork("Events of runs could not be emitted; it is tried again.", async () => {
    while (!stopping && (await emitNext()));
  });

  /** Ends expired runs that no worker has claimed. */
  async function expire(): Promise<void> {
    await pool.db.transaction(async (tx) => {
      const expired = await tx.execute<{ account_id: string; id: string }>(
        sql`select account_id, id from expire_runs(${EXPIRE_BATCH})`,
      );
      await recordCharges(
        tx,
        expired.map(({ account_id, id }) => ({ accountId: account_id, runId: id })),
      );
      for (const { account_id } of expired) publishChange(tx, idOf("account", account_id), "runs");
    });
  }

  /** Returns whether more runs can be claimed at once. */
  async function turn(): Promise<boolean> {
    if (performance.now() - maintainedAt >= POLL_MS) {
      maintainedAt = performance.now();
      await maintain();
    }
    if (running.size >= slots) return false;
    const { claimed, more } = await claimRuns(pool.db, {
      worker: liveness.name,
      accounts: [...running.values()].map(({ run }) => run.fence.accountId),
      slots: slots - running.size,
      perAccount,
      after: served,
    });
    for (const run of claimed) {
      publishChange(pool.db, run.accountId, "runs");
      start(run);
    }
    served = claimed.at(-1)?.fence.accountId ?? served;
    return more;
  }
  polling.start();

  return {
    /** Leaves each run at its next step, or during a step that takes longer; other workers can then claim it. */
    async stop() {
      unsubscribe();
      stopping = true;
      await polling.stop();
      await Promise.all([beginning.done(), emitting.done()]);
      for (const entry of running.values()) entry.halted = true;
      await Promise.race([
        Promise.all([...running.values()].map(({ done }) => done)),
        sleep(GRACE_MS, undefined, { ref: false }),
      ]);
      leave("halted");
      unwatch();
      await pool.db
        .execute(
          sql`update runs set worker = null, ready_at = clock_timestamp() where worker = ${liveness.name}`,
        )
        .catch((error) => log.warn("Runs could not be handed back; others take them over.", { error }));
      await Promise.all([pool.close(), unlisten()]);
    },
  };
}
