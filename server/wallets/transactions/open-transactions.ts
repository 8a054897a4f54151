import { getTableColumns, type Table } from "drizzle-orm";
import type { Hex } from "viem";
import { columnNames } from "#db/column-names.ts";
import { transactionAttempts, walletTransactions } from "#db/schema/transactions.ts";
import { defined } from "#server/base/defined.ts";
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

/** A transaction that has not ended, with all its signed attempts, the newest last. */
export interface OpenTransaction {
  row: TransactionRow;
  tries: Attempt[];
}

/** Returns the newest attempt, which has the highest fees. */
export const newest = ({ tries }: OpenTransaction): Attempt => defined(tries.at(-1));

/** An open transaction as `claim_senders` returns it: rows with the names of their columns. */
export interface StoredOpen {
  row: Record<string, unknown>;
  tries: Record<string, unknown>[];
}

/** Returns the result of `claim_senders` in the program's types. */
export function toOpen({ row, tries }: StoredOpen): OpenTransaction {
  return {
    row: fromStored<TransactionRow>(ROW, row),
    tries: tries.map((one) => toAttempt(fromStored(ATTEMPT, one))),
  };
}

const namesOf = (table: Table) =>
  Object.entries(columnNames(table)).map(([key, name]) => {
    return [key, name, defined(getTableColumns(table)[key])] as const;
  });
const ROW = namesOf(walletTransactions);
const ATTEMPT = namesOf(transactionAttempts);

function fromStored<Row>(names: typeof ROW, stored: Record<string, unknown>): Row {
  const read = ([key, name, column]: (typeof names)[number]) => {
    const value = stored[name];
    return [key, value === null ? null : column.mapFromDriverValue(value)] as const;
  };
  return Object.fromEntries(names.map(read)) as Row;
}

type StoredAttempt = Omit<typeof transactionAttempts.$inferSelect, "raw"> & { raw: string };

function toAttempt(row: StoredAttempt): Attempt {
  const { attempt, hash, raw, maxFee, priorityFee, cancels, signedAt, acceptedAt } = row;
  return {
    attempt,
    cancels,
    signedAt,
    acceptedAt,
    hash,
    // PostgreSQL begins bytes with `\\x`.
    raw: `0x${raw.slice(2)}`,
    maxFee: BigInt(maxFee),
    priorityFee: BigInt(priorityFee),
  };
}

/** Returns signed transactions that are not in a block yet, by nonce. */
export function inFlight(open: readonly OpenTransaction[], mined: number): OpenTransaction[] {
  return open.filter(({ row }) => row.nonce !== null && row.nonce >= mined && row.status !== "reserved");
}
