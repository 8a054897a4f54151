import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Db } from "#db/client.ts";
import { transactionAttempts, walletTransactions } from "#db/schema/transactions.ts";
import type { Lane } from "./lanes.ts";
import type { TransactionRow } from "./move-transaction.ts";

/** Bytes that were signed for a transaction. */
export interface Attempt {
  attempt: number;
  hash: Hex;
  raw: Hex;
  maxFee: bigint;
  priorityFee: bigint;
  cancels: boolean;
  signedAt: Date;
  acceptedAt: Date | null;
}

/** A transaction that has not ended, with all that was signed for it, the newest last. */
export interface OpenTransaction {
  row: TransactionRow;
  tries: Attempt[];
}

/** What was signed last, with the highest fees. */
export const newest = ({ tries }: OpenTransaction): Attempt => tries.at(-1) as Attempt;

const AT_ONCE = 100;

const inLane = ({ accountId, walletId, network }: Lane) =>
  and(
    eq(walletTransactions.accountId, accountId),
    eq(walletTransactions.walletId, walletId),
    eq(walletTransactions.network, network),
    eq(walletTransactions.direction, "out"),
  );

/** What is to be done in a lane: what has a nonce in its order, then the rest, the oldest first. */
export async function readOpen(db: Db, lane: Lane): Promise<OpenTransaction[]> {
  const rows = await db
    .select()
    .from(walletTransactions)
    .where(and(inLane(lane), sql`${walletTransactions.status} in ('reserved', 'signed', 'broadcast')`))
    .orderBy(sql`${walletTransactions.nonce} nulls last`, asc(walletTransactions.id))
    .limit(AT_ONCE);
  const signed = rows.filter(({ attempts }) => attempts > 0).map(({ id }) => id);
  if (signed.length === 0) return rows.map((row) => ({ row, tries: [] }));
  const tries = await db
    .select()
    .from(transactionAttempts)
    .where(
      and(
        eq(transactionAttempts.accountId, lane.accountId),
        inArray(transactionAttempts.transactionId, signed),
      ),
    )
    .orderBy(asc(transactionAttempts.attempt));
  return rows.map((row) => ({
    row,
    tries: tries.filter(({ transactionId }) => transactionId === row.id).map(toAttempt),
  }));
}

function toAttempt(row: typeof transactionAttempts.$inferSelect): Attempt {
  const { attempt, hash, raw, maxFee, priorityFee, cancels, signedAt, acceptedAt } = row;
  return {
    ...{ attempt, cancels, signedAt, acceptedAt },
    hash: hash as Hex,
    raw: `0x${Buffer.from(raw).toString("hex")}`,
    maxFee: BigInt(maxFee),
    priorityFee: BigInt(priorityFee),
  };
}

/** The nonces from `from` on that the lane's transactions have, whatever became of those. */
export async function usedNonces(db: Db, lane: Lane, from: number): Promise<Set<number>> {
  if (from >= lane.next) return new Set();
  const rows = await db
    .select({ nonce: walletTransactions.nonce })
    .from(walletTransactions)
    .where(and(inLane(lane), gte(walletTransactions.nonce, from)));
  return new Set(rows.flatMap(({ nonce }) => nonce ?? []));
}

/** What is signed and not yet in a block, in the order of its nonces. */
export function inFlight(open: readonly OpenTransaction[], mined: number): OpenTransaction[] {
  return open.filter(({ row }) => row.nonce !== null && row.nonce >= mined && row.status !== "reserved");
}
