import { asc, lte, sql } from "drizzle-orm";
import type { LocalAccount } from "viem";
import { connectSession, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { relayerOrders } from "#db/schema/relayer.ts";
import { log } from "#server/base/log.ts";
import { createPolling } from "#server/base/polling.ts";
import { platform } from "#server/platform.ts";
import { seeDeposits } from "./see-deposits.ts";
import { networksWithOpenSends, settleSends } from "./send-once.ts";
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
  let isActive = false;

  async function leads(): Promise<boolean> {
    const [row] = await connection<{ held: boolean }[]>`
      select exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${LOCK}
        and pid = pg_backend_pid() and granted) or pg_try_advisory_lock(${LOCK}) as held`;
    return row?.held ?? false;
  }

  const polling = createPolling({
    async turn() {
      isActive = await leads();
      if (isActive) await turn(account, stuckAfterMs);
      return false;
    },
    pauseMs: () => (isActive ? PERIOD_MS : STANDBY_MS),
    failing: "The relayer is held up; it tries again.",
  });
  polling.start();

  return {
    /** Waits until the running turn has stored its next step. */
    async stop() {
      await polling.stop();
      await connection.end({ timeout: 5 });
    },
  };
}

/** One turn: first the sent transactions, then new deposits, then due orders. */
async function turn(account: LocalAccount, stuckAfterMs: number): Promise<void> {
  const { chains, database } = platform();
  const { db } = database;
  const open = await networksWithOpenSends(db);
  for (const chain of chains.all.filter(({ contracts }) => contracts.bridge !== null)) {
    try {
      if (open.has(chain.network)) await settleSends(db, { chain, account, stuckAfterMs });
      await seeDeposits(db, chain);
    } catch (error) {
      log.warn("The relayer is held up on a chain; it tries again.", { network: chain.network, error });
    }
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
