import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import { BlockNotFoundError } from "viem";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { transactionAttempts, walletTransactions } from "#db/schema/transactions.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { lockSender, type Sender } from "../enqueue-transaction.ts";
import { MISSING_DEPOSIT_MS } from "../statuses.ts";
import { moveTransaction, type TransactionRow } from "./move-transaction.ts";

const AT_ONCE = 100;
/** How long a call waits for a deposit that a reorganisation removed. */
const DEPOSIT_MS = 60_000;

/** A block that has a transaction of ours, according to the database. */
interface StoredBlock {
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

/** The result of polling a chain for the blocks that have transactions of ours. */
export interface WatchedBlocks {
  head: StoredBlock | null;
  /** Hashes of our blocks up to the head that the chain has. */
  present: ReadonlySet<string>;
  /** Hashes of our blocks that the chain lacks. A node may be behind, so only a second poll proves that they are lost. */
  lost: ReadonlySet<string>;
}

/**
 * Checks that the chain still has our stored blocks. Transactions of lost blocks return to `broadcast`, and their same
 * bytes are sent again. A chain loses blocks by a reorganisation, or if its node restarts from an older state.
 */
export async function watchChain(db: Db, chain: Chain, last: WatchedBlocks): Promise<WatchedBlocks> {
  const { number, hash } = await chain.client.getBlock({ blockTag: "latest" });
  const head = { number: Number(number), hash };
  const extended = last.head !== null && (last.head.hash === hash || (await hasBlock(chain, last.head)));
  // The last poll found the newest final block at this head.
  const unchanged = last.head?.hash === hash && last.lost.size === 0;
  const known = extended ? last.present : new Set<string>();
  const { present, lost, isAnyOpen } = await findBlocks(db, chain, { known, unchanged });
  const surely = lost.filter((block) => last.lost.has(block.hash));
  if (surely.length > 0) await returnToBroadcast(db, chain, surely);
  if (lost.length === 0 && isAnyOpen) await settle(db, chain, head.number);
  const below = present.filter(({ number }) => number <= head.number).map(hashOf);
  return {
    head,
    present: new Set(unchanged ? [...last.present, ...below] : below),
    lost: new Set(lost.map(hashOf)),
  };
}

const hashOf = ({ hash }: StoredBlock) => hash;

const isStored = (block: { number: number | null; hash: string | null }): block is StoredBlock =>
  block.number !== null && block.hash !== null;

/**
 * Looks for all our blocks that are not final, since a newer one may be on another branch, and for the newest final one.
 * If that is lost, looks for the next older ones until one is found. Looks for no final one if the chain is unchanged.
 */
async function findBlocks(
  db: Db,
  chain: Chain,
  { known, unchanged }: { known: ReadonlySet<string>; unchanged: boolean },
) {
  const block = { number: walletTransactions.blockNumber, hash: walletTransactions.blockHash };
  const isPresent = (one: StoredBlock) => known.has(one.hash) || hasBlock(chain, one);
  const rows = await db
    .selectDistinct(block)
    .from(walletTransactions)
    .where(and(mined(chain), isNull(walletTransactions.finalizedAt)));
  const open = rows.filter(isStored);
  const found = await Promise.all(open.map(isPresent));
  const present = open.filter((_, nth) => found[nth]);
  const lost = open.filter((_, nth) => !found[nth]);
  const isAnyOpen = open.length > 0;
  if (unchanged) return { present, lost, isAnyOpen };
  for (let below: StoredBlock | null = null; ; ) {
    const finals = await db
      .select(block)
      .from(walletTransactions)
      .where(
        and(
          mined(chain),
          isNotNull(walletTransactions.finalizedAt),
          below ? lt(walletTransactions.blockNumber, below.number) : undefined,
        ),
      )
      .orderBy(desc(walletTransactions.blockNumber))
      .limit(1);
    const newest = finals.find(isStored);
    if (!newest) return { present, lost, isAnyOpen };
    if (await isPresent(newest)) return { present: [...present, newest], lost, isAnyOpen };
    lost.push(newest);
    below = newest;
  }
}

/**
 * True if a reorganisation has removed a transaction of this sender, or a deposit, that is not in a block again: until it
 * is, the chain may refuse transactions that depend on it, e.g. a swap without its allowance.
 */
export async function lacksBlock(
  db: Db,
  chain: Chain,
  { accountId, walletId }: Pick<Sender, "accountId" | "walletId">,
): Promise<boolean> {
  const { direction, network, nonce, status, expiresAt, finalizedAt } = walletTransactions;
  const { blockNumber: number, blockHash: hash } = walletTransactions;
  // A removed deposit may never come back; the wallet's other sends wait behind this one.
  const removed = and(
    eq(direction, "in"),
    eq(status, "broadcast"),
    isNull(number),
    gt(expiresAt, sql`clock_timestamp() + ${MISSING_DEPOSIT_MS - DEPOSIT_MS} * interval '1 millisecond'`),
  );
  const rows = await db
    .selectDistinct({ number, hash })
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.accountId, accountId),
        eq(walletTransactions.walletId, walletId),
        eq(network, chain.network),
        isNull(finalizedAt),
        or(isNotNull(number), and(isNotNull(nonce), inArray(status, ["signed", "broadcast"])), removed),
      ),
    );
  const blocks = rows.filter((row): row is StoredBlock => row.number !== null && row.hash !== null);
  if (blocks.length < rows.length) return true;
  return !(await Promise.all(blocks.map((block) => hasBlock(chain, block)))).every(Boolean);
}

async function hasBlock({ client }: Chain, { number, hash }: StoredBlock): Promise<boolean> {
  try {
    return (await client.getBlock({ blockNumber: BigInt(number) })).hash === hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return false;
    throw error;
  }
}

async function returnToBroadcast(db: Db, chain: Chain, blocks: readonly StoredBlock[]): Promise<void> {
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

/** Takes the sender's lock, so that the sender's turn finds the transaction either in its block or waiting to be sent. */
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

/** Counts confirmations, and marks the transactions that are deep enough to be final. */
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
