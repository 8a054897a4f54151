import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import { BlockNotFoundError, type Hex } from "viem";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { transactionAttempts, walletTransactions } from "#db/schema/transactions.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { lockSender } from "../enqueue-transaction.ts";
import { moveTransaction, type TransactionRow } from "./move-transaction.ts";

const AT_ONCE = 100;

/** A block that has a transaction of ours, as far as we know. */
interface Known {
  number: number;
  hash: string;
}

const mined = (chain: Chain) =>
  and(
    eq(walletTransactions.network, chain.network),
    eq(walletTransactions.direction, "out"),
    isNotNull(walletTransactions.blockNumber),
    notFrozen(walletTransactions.accountId),
  );

/** The result of polling a chain. */
export interface Seen {
  head: Hex | null;
  /** Hashes of our blocks that it does not have: for sure once a second look misses them, for a node may be behind. */
  lost: ReadonlySet<string>;
}

/**
 * Compares what we know of a chain with what it has. The newest of our blocks that it still has vouches for all below;
 * what was above goes back to `broadcast` and is sent again, the same bytes. It does not matter how the chain lost
 * them: by a reorganisation, or because it was started again from an older state.
 */
export async function watchChain(db: Db, chain: Chain, last: Seen): Promise<Seen> {
  const head = await chain.client.getBlock({ blockTag: "latest" });
  const same = head.hash === last.head && last.lost.size === 0;
  // A chain started again from an older state may stand where it stood at the last look, without what came in between.
  if (same && !(await isBehind(db, chain, Number(head.number)))) {
    await settle(db, chain, Number(head.number));
    return last;
  }
  const missing = await findLost(db, chain);
  const surely = missing.filter(({ hash }) => last.lost.has(hash));
  if (surely.length > 0) await returnToBroadcast(db, chain, surely);
  if (missing.length === 0) await settle(db, chain, Number(head.number));
  return { head: head.hash, lost: new Set(missing.map(({ hash }) => hash)) };
}

/** True if a recorded block is above the chain's head. */
async function isBehind(db: Db, chain: Chain, head: number): Promise<boolean> {
  const above = and(mined(chain), gt(walletTransactions.blockNumber, head));
  const rows = await db.select({ id: walletTransactions.id }).from(walletTransactions).where(above).limit(1);
  return rows.length > 0;
}

/** Our blocks that the chain does not have, from the newest down to the first that it has. */
async function findLost(db: Db, chain: Chain): Promise<Known[]> {
  const missing: Known[] = [];
  let below: number | null = null;
  for (;;) {
    const [known] = await db
      .select({ number: walletTransactions.blockNumber, hash: walletTransactions.blockHash })
      .from(walletTransactions)
      .where(and(mined(chain), below === null ? undefined : lt(walletTransactions.blockNumber, below)))
      .orderBy(desc(walletTransactions.blockNumber))
      .limit(1);
    if (!known || (await hasBlock(chain, known as Known))) return missing;
    missing.push(known as Known);
    below = known.number;
  }
}

async function hasBlock({ client }: Chain, { number, hash }: Known): Promise<boolean> {
  try {
    return (await client.getBlock({ blockNumber: BigInt(number) })).hash === hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return false;
    throw error;
  }
}

async function returnToBroadcast(db: Db, chain: Chain, blocks: readonly Known[]): Promise<void> {
  const numbers = blocks.map(({ number }) => number);
  const hashes = blocks.map(({ hash }) => hash);
  const inThese = and(
    mined(chain),
    inArray(walletTransactions.blockNumber, numbers),
    inArray(walletTransactions.blockHash, hashes),
  );
  for (;;) {
    const rows = await db.select().from(walletTransactions).where(inThese).limit(AT_ONCE);
    for (const row of rows) await returnOne(db, row);
    if (rows.length < AT_ONCE) return;
  }
}

/** Under the lock of its sender, so that the sender's turn sees it either in its block or to be sent. */
async function returnOne(
  db: Db,
  { accountId, id, walletId, network, from: address, blockHash }: TransactionRow,
) {
  await db.transaction(async (tx) => {
    await lockSender(tx, { accountId, walletId, network, address });
    const same = and(eq(walletTransactions.accountId, accountId), eq(walletTransactions.id, id));
    const [row] = await tx.select().from(walletTransactions).where(same).for("update");
    if (!row || row.blockHash !== blockHash) return;
    await moveTransaction(tx, row, {
      status: "broadcast",
      blockNumber: null,
      blockHash: null,
      confirmations: 0,
      reverted: false,
      feePaid: null,
      failure: null,
      confirmedAt: null,
      finalizedAt: null,
      endedAt: null,
    });
    await tx
      .update(transactionAttempts)
      .set({ acceptedAt: null, signedAt: sql`clock_timestamp()` })
      .where(and(eq(transactionAttempts.accountId, accountId), eq(transactionAttempts.transactionId, id)));
  });
}

/** Counts confirmations, and marks what is deep enough to be final. */
async function settle(db: Db, chain: Chain, head: number): Promise<void> {
  const depth = sql`${head} - ${walletTransactions.blockNumber} + 1`;
  const unsettled = and(
    mined(chain),
    isNull(walletTransactions.finalizedAt),
    isNotNull(walletTransactions.endedAt),
  );
  await db
    .update(walletTransactions)
    .set({
      confirmations: depth,
      finalizedAt: sql`case when ${depth} >= ${chain.finality} then clock_timestamp() end`,
    })
    .where(and(unsettled, ne(walletTransactions.confirmations, depth), gt(depth, 0)));
}
