import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { openPool } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { NIL_UUID, toUuid } from "#server/base/ids.ts";
import type { Liveness } from "#server/base/liveness.ts";
import { log } from "#server/base/log.ts";
import { createPolling } from "#server/base/polling.ts";
import { type ClaimedTrigger, claimTriggers } from "./claim-triggers.ts";
import { type Boundary, processTrigger } from "./process-trigger.ts";

const POLL_MS = 250;
/** How often triggers that wait for credits are checked. */
const FUNDS_MS = 2000;
const GRACE_MS = 15_000;

export interface TriggerEngineOptions {
  url: string;
  liveness: Liveness;
  /** The maximum number of triggers at the same time, in turn by account. */
  slots?: number;
  /** Lets tests end the process at a boundary between transactions. */
  reached?: (boundary: Boundary) => void;
}

/** Claims and processes triggers until it is stopped. Any number of processes may run it on one database. */
export async function startTriggerEngine({ url, liveness, slots = 4, reached }: TriggerEngineOptions) {
  const pool = openPool(url, CONNECTIONS.triggers, { writers: CONNECTIONS.triggerTransactions });
  const running = new Map<string, Promise<void>>();
  let served = NIL_UUID;
  /** Whether the last turn left ready triggers because no slot was free. */
  let leftSome = false;
  let maintainedAt = Number.NEGATIVE_INFINITY;
  let funded = Number.NEGATIVE_INFINITY;

  const polling = createPolling({
    turn,
    pauseMs: POLL_MS,
    failing: "Triggers could not be claimed; it is tried again.",
  });

  function start(trigger: ClaimedTrigger): void {
    const processed = processTrigger(pool.db, trigger, reached)
      .catch((error) =>
        log.warn("A trigger could not be processed further.", { triggerId: trigger.id, error }),
      )
      .then(() => {
        // If it could not be released, the periodic work finds it among the triggers without a worker.
        if (running.get(trigger.id) === processed) running.delete(trigger.id);
        polling.wake();
      });
    running.set(trigger.id, processed);
  }

  async function maintain(): Promise<void> {
    maintainedAt = performance.now();
    if (performance.now() - funded >= FUNDS_MS) {
      funded = performance.now();
      await pool.db.execute(sql`select wake_unfunded_triggers()`);
    }
    const mine = sql.param([...running.keys()].map((id) => toUuid("trigger", id)));
    for (let all = false; !all; ) {
      const [row] = await pool.db.execute<{ all: boolean }>(
        sql`select maintain_triggers(${liveness.name}, ${mine}::uuid[]) as all`,
      );
      all = row?.all ?? true;
    }
  }

  async function turn(): Promise<boolean> {
    // While one account has many runs to start, due triggers of others are found after a few starts, not only at the
    // next poll.
    if (leftSome || performance.now() - maintainedAt >= POLL_MS) await maintain();
    const free = slots - running.size;
    leftSome = false;
    if (free === 0) return false;
    const claimed = await claimTriggers(pool.db, { worker: liveness.name, slots: free, after: served });
    for (const trigger of claimed) start(trigger);
    const last = claimed.at(-1);
    if (last) served = toUuid("account", last.accountId);
    leftSome = claimed.length === free;
    // More are claimed once one of these has ended.
    return false;
  }
  polling.start();

  return {
    /** Waits for the running triggers; other workers claim the rest. */
    async stop() {
      await polling.stop();
      await Promise.race([Promise.all(running.values()), sleep(GRACE_MS, undefined, { ref: false })]);
      await pool.close();
    },
  };
}
