import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { uuidOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { WalletRow } from "./queries.ts";

/** A reservation of a wallet's UTC day. */
export interface Reservation {
  wallet: Pick<WalletRow, "accountId" | "id">;
  /** Wire id of the resource. */
  subject: string;
  /** As `judge` returned it; null where there is no price. */
  valueUsd: string | null;
}

/**
 * Reserves a resource's value from its wallet's limit of the UTC day, in the transaction that inserts the resource, so
 * that the daily limit holds however many are inserted at once. Repeated for the same resource, it counts once, for the
 * day of the last time.
 */
export async function reserveCap(tx: Transaction, reservation: Reservation): Promise<void> {
  const [row] = await tx.execute<{ refusal: CapRefusal | null }>(
    sql`select ${reservedCap(reservation)} as refusal`,
  );
  if (row?.refusal) throw beyondCap(reservation, row.refusal);
}

/** `reserveCap` as a statement of a batch; its result is the refusal, or null. */
export function reservedCap({ wallet, subject, valueUsd }: Reservation): SQL {
  return refusalOf(sql`reserve_cap(${uuidOf("account", wallet.accountId)}, ${uuidOf("wallet", wallet.id)},
    ${subject}, ${valueUsd})`);
}

const refusalOf = (reserved: SQL) =>
  sql`(select jsonb_build_object('used', c.used_usd::text, 'limit', c.limit_usd::text) from ${reserved} c where not c.fits)`;

/**
 * Reserves the value of an order's trade from its wallet's limit of this UTC day, for the trade's transaction, whose
 * failure releases it. Does nothing on the day for which the order itself has reserved its value.
 */
export async function reserveTrade(
  tx: Transaction,
  { order, isFirst, ...reservation }: Reservation & { order: string; isFirst: boolean },
): Promise<void> {
  const { wallet, subject, valueUsd } = reservation;
  const reserved = sql`reserve_trade(${uuidOf("account", wallet.accountId)}, ${uuidOf("wallet", wallet.id)},
    ${order}, ${isFirst}, ${subject}, ${valueUsd})`;
  const [row] = await tx.execute<{ refusal: CapRefusal | null }>(
    sql`select ${refusalOf(reserved)} as refusal`,
  );
  if (row?.refusal) throw beyondCap(reservation, row.refusal);
}

/** Why something does not fit into a day, as the database reports it. */
export interface CapRefusal {
  used: string;
  limit: string;
}

/** Returns the error for an amount beyond the day's limit. */
export function beyondCap({ valueUsd }: Pick<Reservation, "valueUsd">, refusal: CapRefusal): ApiError {
  return new ApiError("policy_denied", beyondDay(valueUsd, refusal.used, refusal.limit));
}

/** Releases a resource's reservation; does nothing if it has none. */
export async function releaseCap(
  tx: Transaction,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<void> {
  await tx.execute(sql`select release_cap(${uuidOf("account", accountId)}, ${subject})`);
}

/**
 * Restores a reservation that a resource has released, for the same day and whatever its limit: a reorganisation has taken
 * back the resource's end. Does nothing if it has released none.
 */
export async function retakeCap(
  tx: Transaction,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<void> {
  await tx.execute(sql`select retake_cap(${uuidOf("account", accountId)}, ${subject})`);
}

/**
 * Locks a resource's reservation before its credits are charged, if it may be released afterwards: see
 * `db/functions/wallets.sql`.
 */
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
