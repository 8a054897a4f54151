import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";
import { uuidOf } from "#server/base/ids.ts";
import { recordSettlement } from "#server/operation/recorder.ts";
import { type Charged, emitBalanceEvents } from "./balance-events.ts";
import { type Charge, payerOf, projectOf, type Refusal, throwRefusal } from "./charge.ts";
import { type Requested, type SETTLEMENTS, settlementOf } from "./settlement-event.ts";

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
  const { selectors, credits, description, priceVersion, requestId, runId = null } = charge;
  return sql`ledger_hold(${account}, ${id}, ${keys}, ${sql.param(selectors)}::text[], ${credits}, ${description},
    ${priceVersion}, ${requestId}, ${projectOf(charge)}, ${runId && uuidOf("run", runId)}::uuid, ${seconds})`;
}

/**
 * Charges exactly `credits` of a hold and returns the rest to the account. Returns the total that the hold has charged:
 * a repeat, or a call after the hold's expiry, changes nothing.
 */
export async function captureHold(
  tx: Transaction,
  hold: Hold,
  credits: number,
  units: number,
): Promise<number> {
  return (await close(tx, hold, { credits, units })).charged;
}

/**
 * Charges a hold completely for an earlier request, and records the charge in the audit. Returns the hold's total
 * charge, as `captureHold` does.
 */
export async function settleHold(
  tx: Transaction,
  hold: Hold,
  requested: Requested & { heldCredits: number },
  settlement: { operation: keyof typeof SETTLEMENTS; resource: string },
): Promise<number> {
  const credits = requested.heldCredits;
  const { charged, isCharged } = await close(tx, hold, { credits, units: 1 });
  if (isCharged) await recordSettlement(tx, settlementOf(requested, { ...settlement, credits }));
  return charged;
}

/** Ends a hold; `isCharged` is true if this call has charged it. */
async function close(
  tx: Transaction,
  { accountId, id }: Hold,
  { credits, units }: { credits: number; units: number },
): Promise<{ charged: number; isCharged: boolean }> {
  const echo = newEcho();
  const [answer] = await tx.execute<{ charged: string; echo: string } & Charged>(
    sql`select charged, total, low, ${echo}::text as echo
      from ledger_close(${uuidOf("account", accountId)}, ${id}, ${credits}, ${units})`,
  );
  const { charged, total, low } = ownRow(answer, echo);
  await emitBalanceEvents(tx, accountId, { total, low });
  return { charged: Number(charged), isCharged: total !== null };
}

/** Releases a whole hold; does nothing if the hold has ended. */
export async function releaseHold(tx: Transaction, hold: Hold): Promise<void> {
  await captureHold(tx, hold, 0, 0);
}
