import { setTimeout as sleep } from "node:timers/promises";
import { asc, lte, sql } from "drizzle-orm";
import type { LocalAccount } from "viem";
import { connectSession, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { relayerOrders } from "#db/schema/relayer.ts";
import { log } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import { seeDeposits } from "./see-deposits.ts";
import { settleSends } from "./send-once.ts";
import { workOrder } from "./work-order.ts";

// "BRID": the process that holds this session lock is the one active relayer.
const LOCK = 1_112_689_988;
const PERIOD_MS = 250;
const STANDBY_MS = 2000;
const AT_ONCE = 50;

/**
 * Fills bridge deposits of one chain on another from the relayer's own account, and claims the deposits. Of several
 * processes, one works; another takes over when it ends.
 */
export function startRelayer(options: {
  directUrl: string;
  account: LocalAccount;
  /** The age from which the fees of an unmined transaction are raised. */
  stuckAfterMs?: number;
}) {
  const { directUrl, account, stuckAfterMs = 30_000 } = options;
  const connection = connectSession(directUrl, {
    max: CONNECTIONS.relayer,
    deadline: deadlineOf(STANDBY_MS),
  });
  const stopped = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopped.signal }).catch(() => undefined);

  async function leads(): Promise<boolean> {
    const [row] = await connection<{ held: boolean }[]>`
      select exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${LOCK}
        and pid = pg_backend_pid() and granted) or pg_try_advisory_lock(${LOCK}) as held`;
    return row?.held ?? false;
  }

  async function work() {
    let failing = false;
    while (!stopped.signal.aborted) {
      let rest = PERIOD_MS;
      try {
        if (await leads()) await turn(account, stuckAfterMs);
        else rest = STANDBY_MS;
        failing = false;
      } catch (error) {
        if (!failing) log.warn("The relayer is held up; it tries again.", { error });
        failing = true;
        rest = STANDBY_MS;
      }
      await pause(rest);
    }
  }

  const working = work();
  return {
    /** Waits until the running turn has stored its next step. */
    async stop() {
      stopped.abort();
      await working;
      await connection.end({ timeout: 5 });
    },
  };
}

/** One turn: first the sent transactions, then new deposits, then due orders. */
async function turn(account: LocalAccount, stuckAfterMs: number): Promise<void> {
  const { chains, database } = platform();
  const { db } = database;
  for (const chain of chains.all.filter(({ contracts }) => contracts.bridge !== null)) {
    await settleSends(db, { chain, account, stuckAfterMs });
    await seeDeposits(db, chain);
  }
  const due = await db
    .select()
    .from(relayerOrders)
    .where(lte(relayerOrders.dueAt, sql`clock_timestamp()`))
    .orderBy(asc(relayerOrders.dueAt))
    .limit(AT_ONCE);
  for (const row of due) {
    try {
      await workOrder(db, account, row);
    } catch (error) {
      log.warn("An order of the bridge could not be worked on.", { orderId: row.id, error });
    }
  }
}
