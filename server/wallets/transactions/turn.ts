import { sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { holdLane, type Lane } from "./lanes.ts";
import type { OpenTransaction } from "./open-transactions.ts";

/** How patient an engine is. */
export interface Patience {
  /** How old the newest bytes of the transaction that holds up an address are when its fees are raised. */
  stuckAfterMs: number;
  /** After how long bytes that are in no block are handed to the chain again. */
  resendAfterMs: number;
}

/** One look after a lane by whoever has claimed it. */
export interface Turn {
  db: Db;
  chain: Chain;
  lane: Lane;
  patience: Patience;
  /** How many transactions of the address the chain has in blocks: the nonces below are used up. */
  mined: number;
  /** What has not ended; replaced as the turn goes on. */
  open: OpenTransaction[];
}

/** Writes under the lane's lock; nothing is written where the lane is another worker's by now. */
export function underLock<Result>(
  { db, lane }: Pick<Turn, "db" | "lane">,
  write: (tx: Transaction) => Promise<Result>[],
): Promise<Result[]> {
  return db.transaction(async (tx) => {
    const [, ...results] = await Promise.all([holdLane(tx, lane), ...write(tx)]);
    return results;
  });
}

/**
 * As `underLock`, for what the chain has told and would tell again: the commit does not wait for the disk, nor does
 * whoever waits for the account's book, which `last` locks.
 */
export function noteUnderLock<Result>(
  { db, lane }: Pick<Turn, "db" | "lane">,
  write: (tx: Transaction) => Promise<Result>[],
  last?: (tx: Transaction) => Promise<unknown>,
): Promise<Result[]> {
  return db.transaction(async (tx) => {
    const [, , ...results] = await Promise.all([
      tx.execute(sql`set local synchronous_commit = off`),
      holdLane(tx, lane),
      ...write(tx),
    ]);
    await last?.(tx);
    return results;
  });
}
