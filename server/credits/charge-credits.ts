import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";
import { type Charged, emitBalanceEvents } from "./balance-events.ts";
import { type Charge, payerOf, projectOf, type Refusal, throwRefusal } from "./charge.ts";

/**
 * Charges in the effect's own transaction: hold and capture in one. Locks the account's ledger until the commit, so it
 * comes last in the transaction, and once. The request id is the reference: a second charge under it changes nothing.
 */
export async function chargeCredits(tx: Transaction, charge: Charge, units = 1): Promise<void> {
  if (charge.credits === 0) return;
  const { account, keys } = payerOf(charge);
  const { selectors, credits, description, priceVersion, requestId } = charge;
  const echo = newEcho();
  const [answer] = await tx.execute<{ refusal: Refusal | null; echo: string } & Charged>(sql`
    select refusal, total, low, ${echo}::text as echo from ledger_charge(${account}, ${keys}, ${sql.param(selectors)}::text[], ${credits},
      ${`call:${requestId}`}, ${description}, ${units}, ${priceVersion}, ${requestId}, ${projectOf(charge)})`);
  const { refusal, ...charged } = ownRow(answer, echo);
  throwRefusal(refusal, charge);
  await emitBalanceEvents(tx, charge.caller.accountId, charged);
}
