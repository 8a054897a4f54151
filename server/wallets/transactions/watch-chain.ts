import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import { BlockNotFoundError } from "viem";
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
  head: Known | null;
  /** Hashes of our blocks up to the head that it has. */
  present: ReadonlySet<string>;
  /** Hashes of our blocks that it does not have: for sure once a second look misses them, for a node may be behind. */
  lost: ReadonlySet<string>;
}

/**
 * Compares what we know of a chain with what it has. What was in blocks that it does not have goes back to `broadcast`
 * and is sent again, the same bytes. It does not matter how the chain lost them: by a reorganisation, or because it was
 * started again from an older state.
 */
export async function watchChain(db: Db, chain: Chain, last: Seen): Promise<Seen> {
  const { number, hash } = await chain.client.getBlock({ blockTag: "latest" });
  const head = { number: Number(number), hash };
  const extended = last.head !== null && (last.head.hash === hash || (await hasBlock(chain, last.head)));
  const { present, lost } = await findBlocks(db, chain, extended ? last.present : new Set());
  const surely = lost.filter((known) => last.lost.has(known.hash));
  if (surely.length > 0) await returnToBroadcast(db, chain, surely);
  if (lost.length === 0) await settle(db, chain, head.number);
  const below = present.filter((known) => known.number <= head.number);
  return { head, present: new Set(below.map(hashOf)), lost: new Set(lost.map(hashOf)) };
}

const hashOf = ({ hash }: Known) => hash;

/**
 * Looks for all our blocks that are not final, since a newer one may be of another branch, and for the newest final one:
 * if it is lost, for those below.
 */
async function findBlocks(db: Db, chain: Chain, known: ReadonlySet<string>) {
  const block = { number: walletTransactions.blockNumber, hash: walletTransactions.blockHash };
  const isPresent = (one: Known) => known.has(one.hash) || hasBlock(chain, one);
  const open = (await db
    .selectDistinct(block)
    .from(walletTransactions)
    .where(and(mined(chain), isNull(walletTransactions.finalizedAt)))) as Known[];
  const found = await Promise.all(open.map(isPresent));
  const present = open.filter((_, nth) => found[nth]);
  const lost = open.filter((_, nth) => !found[nth]);
  for (let below: Known | null = null; ; ) {
    const [newest] = (await db
      .select(block)
      .from(walletTransactions)
      .where(
        and(
          ...[mined(chain), isNotNull(walletTransactions.finalizedAt)],
          below ? lt(walletTransactions.blockNumber, below.number) : undefined,
        ),
      )
      .orderBy(desc(walletTransactions.blockNumber))
      .limit(1)) as Known[];
    if (!newest) return { present, lost };
    if (await isPresent(newest)) return { present: [...present, newest], lost };
    lost.push(newest);
    below = newest;
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
