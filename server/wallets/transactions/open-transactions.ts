import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Db } from "#db/client.ts";
import { transactionAttempts, walletTransactions } from "#db/schema/transactions.ts";
import { uuidOf } from "#server/ids.ts";
import type { Lane } from "./lanes.ts";
import type { TransactionRow } from "./move-transaction.ts";
import type { Turn } from "./turn.ts";

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

/** What is to be done in each of these lanes: what has a nonce in its order, then the rest, the oldest first. */
export async function readOpen(db: Db, lanes: readonly Lane[]): Promise<OpenTransaction[][]> {
  const keys = lanes.map(({ accountId, walletId, network }) => ({
    ...{ account: uuidOf("account", accountId), wallet: uuidOf("wallet", walletId), network },
  }));
  const { accountId, id, nonce } = walletTransactions;
  const rows = await db
    .select()
    .from(walletTransactions)
    .where(
      sql`(${accountId}, ${id}) in (
        select o.account_id, o.id
        from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as lane(account uuid, wallet uuid, network text),
        lateral (
          select t.account_id, t.id from wallet_transactions t
          where t.account_id = lane.account and t.wallet_id = lane.wallet and t.network = lane.network
            and t.direction = 'out' and t.status in ('reserved', 'signed', 'broadcast')
          order by t.nonce nulls last, t.id limit ${AT_ONCE}
        ) o)`,
    )
    .orderBy(sql`${nonce} nulls last`, asc(id));
  const signed = rows.filter((row) => row.attempts > 0);
  const tries = signed.length === 0 ? [] : await readAttempts(db, signed);
  const open = rows.map((row) => ({
    row,
    tries: tries.filter(({ transactionId }) => transactionId === row.id).map(toAttempt),
  }));
  return lanes.map((lane) =>
    open.filter(({ row }) => row.walletId === lane.walletId && row.network === lane.network),
  );
}

function readAttempts(db: Db, rows: readonly TransactionRow[]) {
  return db
    .select()
    .from(transactionAttempts)
    .where(
      and(
        inArray(
          transactionAttempts.accountId,
          rows.map(({ accountId }) => accountId),
        ),
        inArray(
          transactionAttempts.transactionId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(transactionAttempts.attempt));
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

/** The nonces from the next one to be mined on that the lane's transactions have, whatever became of those. */
export async function usedNonces({ db, lane, open, mined }: Turn): Promise<Set<number>> {
  const known = new Set(open.flatMap(({ row }) => row.nonce ?? []));
  const missing = Array.from({ length: Math.max(0, lane.next - mined) }, (_, nth) => mined + nth).some(
    (nonce) => !known.has(nonce),
  );
  if (!missing) return known;
  const { accountId, walletId, network, direction, nonce } = walletTransactions;
  const rows = await db
    .select({ nonce })
    .from(walletTransactions)
    .where(
      and(
        ...[eq(accountId, lane.accountId), eq(walletId, lane.walletId), eq(network, lane.network)],
        ...[eq(direction, "out"), gte(nonce, mined)],
      ),
    );
  return new Set(rows.flatMap((row) => row.nonce ?? []));
}

/** What is signed and not yet in a block, in the order of its nonces. */
export function inFlight(open: readonly OpenTransaction[], mined: number): OpenTransaction[] {
  return open.filter(({ row }) => row.nonce !== null && row.nonce >= mined && row.status !== "reserved");
}
