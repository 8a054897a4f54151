import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { chainHeads } from "#db/schema/chain-heads.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { log } from "#server/base/log.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { MISSING_DEPOSIT_MS } from "../statuses.ts";
import { moveTransaction } from "../transactions/move-transaction.ts";
import { type Block, findDeposits, type NewDeposit } from "./find-deposits.ts";
import { settleDeposits } from "./settle-deposits.ts";
import {
  findUsedAuthorizations,
  releaseAuthorizations,
  reserveAuthorizationsAgain,
} from "./used-authorizations.ts";

const AT_ONCE = 10;
/**
 * How long a node may lag behind the recorded head before the chain counts as shortened; other nodes of its cluster may
 * be ahead.
 */
const BEHIND_MS = 10_000;

type Head = typeof chainHeads.$inferSelect;

/** The process's state between two polls of a chain. */
export interface Memory {
  behindSince: number | null;
  /** The block up to which deposits were confirmed. */
  settled: number | null;
}

/**
 * Searches the blocks since the last poll for deposits, a few at a time; returns whether there are more. Several
 * processes may run it: a step only counts from the head it was read at, and moves the head in the transaction that
 * stores its deposits.
 */
export async function followChain(db: Db, chain: Chain, memory: Memory): Promise<boolean> {
  const newest = await chain.client.getBlock({ blockTag: "latest" });
  const top = Number(newest.number);
  const head = (await readHead(db, chain)) ?? (await begin(db, chain, top, newest.hash));
  if (top === head.number && newest.hash === head.hash) {
    memory.behindSince = null;
    // Deposits that the previous process found may not be settled yet.
    if (memory.settled !== top) await settleDeposits(db, chain, top);
    memory.settled = top;
    return false;
  }
  const blocks = top > head.number ? linked(head, await readBlocks(chain, head.number + 1, top)) : [];
  const last = blocks.at(-1);
  if (last) {
    memory.behindSince = null;
    const [deposits, used] = await Promise.all([
      findDeposits(db, chain, blocks),
      findUsedAuthorizations(db, chain, blocks),
    ]);
    await extend(db, { head, blocks, chain, deposits, used });
    memory.settled = Number(last.number);
    await settleDeposits(db, chain, memory.settled);
    return memory.settled < top;
  }
  const common = await findCommon(chain, head, top);
  if (common === top && !isBehindForLong(memory)) return false;
  await rewind(db, chain, head, common);
  memory.behindSince = null;
  return true;
}

async function readHead(db: Db, { network }: Chain): Promise<Head | undefined> {
  const [head] = await db.select().from(chainHeads).where(eq(chainHeads.network, network));
  return head;
}

/** Transfers from before the platform knew the chain are not recorded. */
async function begin(db: Db, { network }: Chain, number: number, hash: string): Promise<Head> {
  const head = { network, number, hash, recent: [hash] };
  await db.insert(chainHeads).values(head).onConflictDoNothing();
  return head;
}

function readBlocks({ client }: Chain, from: number, top: number): Promise<Block[]> {
  const count = Math.min(AT_ONCE, top - from + 1);
  const numbers = Array.from({ length: count }, (_, index) => BigInt(from + index));
  return Promise.all(
    numbers.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
  ) as Promise<Block[]>;
}

/**
 * Returns the blocks that form a chain after the head; if the head's block is no longer recorded, any block may follow.
 */
function linked({ recent }: Head, blocks: readonly Block[]): Block[] {
  const broken = blocks.findIndex(({ parentHash }, index) => {
    const before = index === 0 ? recent.at(-1) : blocks[index - 1]?.hash;
    return before !== undefined && before !== parentHash;
  });
  return broken < 0 ? [...blocks] : blocks.slice(0, broken);
}

function isBehindForLong(memory: Memory): boolean {
  memory.behindSince ??= performance.now();
  return performance.now() - memory.behindSince > BEHIND_MS;
}

/** Returns the newest recorded block that the chain still has; if none, the one before the oldest recorded. */
async function findCommon({ client }: Chain, { number, recent }: Head, top: number): Promise<number> {
  const oldest = number - recent.length + 1;
  for (let candidate = Math.min(number, top); candidate >= oldest; candidate--) {
    const { hash } = await client.getBlock({ blockNumber: BigInt(candidate) });
    if (hash === recent[candidate - oldest]) return candidate;
  }
  return Math.max(0, Math.min(oldest - 1, top));
}

async function extend(
  db: Db,
  look: {
    head: Head;
    blocks: readonly Block[];
    chain: Chain;
    deposits: NewDeposit[];
    used: Awaited<ReturnType<typeof findUsedAuthorizations>>;
  },
) {
  const { head, blocks, chain, deposits, used } = look;
  const last = defined(blocks.at(-1));
  const recent = [...head.recent, ...blocks.map(({ hash }) => defined(hash))];
  const kept = Math.max(64, chain.finality) + 1;
  await db.transaction(async (tx) => {
    const moved = await moveHead(tx, head, Number(last.number), recent.slice(-kept));
    if (moved && deposits.length > 0) await record(tx, deposits, Number(last.number));
    if (moved && used.length > 0) await releaseAuthorizations(tx, chain.network, used);
  });
}

/** Moves the head; returns false if another process has moved it since it was read. */
async function moveHead(tx: Transaction, head: Head, number: number, recent: string[]): Promise<boolean> {
  const moved = await tx
    .update(chainHeads)
    .set({ number, hash: recent.at(-1) ?? "", recent })
    .where(
      and(
        eq(chainHeads.network, head.network),
        eq(chainHeads.number, head.number),
        eq(chainHeads.hash, head.hash),
      ),
    )
    .returning({ number: chainHeads.number });
  return moved.length > 0;
}

/** Stores new deposits, and those that a reorganisation removed and that are in a block again. */
async function record(tx: Transaction, found: NewDeposit[], last: number): Promise<void> {
  const { accountId, walletId, network, hash, logIndex } = walletTransactions;
  await tx
    .insert(walletTransactions)
    .values(found.map((one) => ({ ...one, confirmations: last - defined(one.blockNumber) + 1 })))
    .onConflictDoUpdate({
      target: [accountId, walletId, network, hash, logIndex],
      targetWhere: sql`direction = 'in'`,
      set: {
        status: "broadcast",
        failure: null,
        endedAt: null,
        expiresAt: null,
        blockNumber: sql`excluded.block_number`,
        blockHash: sql`excluded.block_hash`,
        confirmations: sql`excluded.confirmations`,
      },
      setWhere: isNull(walletTransactions.blockNumber),
    });
  for (const deposit of found) publishChange(tx, deposit.accountId, "wallets");
}

/**
 * Moves the head back to a block that the chain still has. Deposits above it are in no block, and expire within the
 * hour.
 */
async function rewind(db: Db, { network }: Chain, head: Head, common: number): Promise<void> {
  const recent = head.recent.slice(0, Math.max(0, common - (head.number - head.recent.length)));
  await db.transaction(async (tx) => {
    if (!(await moveHead(tx, head, common, recent))) return;
    log.warn("A chain has other blocks than before.", { network, fromBlock: head.number, toBlock: common });
    await reserveAuthorizationsAgain(tx, network, common);
    const taken = await tx
      .select()
      .from(walletTransactions)
      .where(
        and(
          eq(walletTransactions.network, network),
          eq(walletTransactions.direction, "in"),
          gt(walletTransactions.blockNumber, common),
          isNull(walletTransactions.finalizedAt),
        ),
      )
      .for("update");
    for (const row of taken) {
      await moveTransaction(tx, row, {
        status: "broadcast",
        blockNumber: null,
        blockHash: null,
        confirmations: 0,
        confirmedAt: null,
        endedAt: null,
        expiresAt: new Date(currentMs() + MISSING_DEPOSIT_MS),
      });
    }
  });
}
