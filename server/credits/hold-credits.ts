import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";
import { uuidOf } from "#server/ids.ts";
import { type Charged, emitBalanceEvents } from "./balance-events.ts";
import { type Charge, payerOf, projectOf, type Refusal, throwRefusal } from "./charge.ts";

/** Held credits: their account, and the hold's UUID. */
export interface Hold {
  accountId: string;
  id: string;
}

const HOLD_SECONDS = 86_400;

/**
 * Holds the maximum price of a call, at least one credit, for an effect outside the transaction. `id` is a UUID that is
 * the same in every attempt, so that a repeat holds nothing more. A hold ends by capture or release, at the latest by
 * its expiry.
 */
export async function holdCredits(
  tx: Transaction,
  id: string,
  charge: Charge,
  seconds = HOLD_SECONDS,
): Promise<Hold> {
  const echo = newEcho();
  const [answer] = await tx.execute<{ refusal: Refusal | null; echo: string }>(
    sql`select ${heldCredits(id, charge, seconds)} as refusal, ${echo}::text as echo`,
  );
  throwRefusal(ownRow(answer, echo).refusal, charge);
  return { accountId: charge.caller.accountId, id };
}

/** Returns `holdCredits` as a statement of a batch; its result is the refusal, or null. */
export function heldCredits(id: string, charge: Charge, seconds = HOLD_SECONDS): SQL {
  const { account, keys } = payerOf(charge);
  const { selectors, credits, description, priceVersion, requestId } = charge;
  return sql`ledger_hold(${account}, ${id}, ${keys}, ${sql.param(selectors)}::text[], ${credits}, ${description},
    ${priceVersion}, ${requestId}, ${projectOf(charge)}, ${seconds})`;
}

/**
 * Charges exactly `credits` of a hold and returns the rest to the account. Returns the total that the hold has charged:
 * a repeat, or a call after the hold's expiry, changes nothing.
 */
export async function captureHold(
  tx: Transaction,
  { accountId, id }: Hold,
  credits: number,
  units: number,
): Promise<number> {
  const echo = newEcho();
  const [answer] = await tx.execute<{ charged: string; echo: string } & Charged>(
    sql`select charged, total, low, ${echo}::text as echo
      from ledger_close(${uuidOf("account", accountId)}, ${id}, ${credits}, ${units})`,
  );
  const { charged, total, low } = ownRow(answer, echo);
  await emitBalanceEvents(tx, accountId, { total, low });
  return Number(charged);
}

/** Releases a whole hold; does nothing if the hold has ended. */
export async function releaseHold(tx: Transaction, hold: Hold): Promise<void> {
  await captureHold(tx, hold, 0, 0);
}
