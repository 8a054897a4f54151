import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { uuidOf } from "#server/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { WalletRow } from "./queries.ts";

/** What a thing takes of its wallet's day. */
export interface Reservation {
  wallet: Pick<WalletRow, "accountId" | "id">;
  /** Wire id of the thing. */
  subject: string;
  /** As `judge` returned it; null where there is no price. */
  valueUsd: string | null;
}

/**
 * Takes what a thing will spend from its wallet's UTC day, in the transaction that makes the thing, so that however many
 * are made at once the daily limit holds. Taken again by the same subject, it counts once, for the day of the last time.
 */
export async function reserveCap(tx: Transaction, reservation: Reservation): Promise<void> {
  const [row] = await tx.execute<{ refusal: CapRefusal | null }>(
    sql`select ${reservedCap(reservation)} as refusal`,
  );
  if (row?.refusal) throw beyondCap(reservation, row.refusal);
}

/** `reserveCap` as a statement of a batch; its answer is the refusal, or null. */
export function reservedCap({ wallet, subject, valueUsd }: Reservation): SQL {
  return sql`(select jsonb_build_object('used', c.used_usd::text, 'limit', c.limit_usd::text) from reserve_cap(${uuidOf("account", wallet.accountId)}, ${uuidOf("wallet", wallet.id)},
    ${subject}, ${valueUsd}) c where not c.fits)`;
}

/** Why something does not fit into a day, as the database reports it. */
export interface CapRefusal {
  used: string;
  limit: string;
}

/** The error for what does not fit into the day. */
export function beyondCap({ valueUsd }: Pick<Reservation, "valueUsd">, refusal: CapRefusal): ApiError {
  return new ApiError("policy_denied", beyondDay(valueUsd, refusal.used, refusal.limit));
}

/** Returns what a thing had taken and will not spend; nothing where it had taken nothing. */
export async function releaseCap(
  tx: Transaction,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<void> {
  await tx.execute(sql`select release_cap(${uuidOf("account", accountId)}, ${subject})`);
}

/** Locks what a thing has taken, where its credits are charged before it may return that: `db/functions/wallets.sql`. */
export async function lockCap(
  tx: Transaction,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<void> {
  await tx.execute(sql`select lock_cap(${uuidOf("account", accountId)}, ${subject})`);
}

/** Why something does not fit into the day. */
export function beyondDay(valueUsd: string | null, usedUsd: string, limitUsd: string): string {
  if (valueUsd === null) return `Without a value in USD nothing fits into today's limit of ${limitUsd} USD.`;
  return `${valueUsd} USD does not fit into today's limit of ${limitUsd} USD, of which ${usedUsd} USD is spent or promised.`;
}
