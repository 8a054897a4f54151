import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { emitTopUpEvent } from "./balance-events.ts";

/** A posting to an account that does not come from its own calls. */
export interface Posting {
  accountId: string;
  credits: number;
  /** Unique in the account, so that a posting happens once. */
  reference: string;
  /** The text that a person reads in the ledger. */
  description: string;
}

export interface Posted {
  receiptId: string;
  /** False if it was posted before. */
  posted: boolean;
}

/** Gives an account credits, e.g. at sign-up. */
export async function grantCredits(tx: Transaction, posting: Posting): Promise<Posted> {
  return post(tx, "grant", posting);
}

/** Adds purchased credits. */
export async function addPurchase(tx: Transaction, posting: Posting): Promise<Posted> {
  return post(tx, "purchase", posting);
}

/** Corrects a balance; negative credits reduce it, at most by the free credits. */
export async function adjustCredits(tx: Transaction, posting: Posting): Promise<Posted> {
  return post(tx, "adjustment", posting);
}

type Outcome = { outcome: "posted" | "exists" | "differs" | "insufficient"; id: string | null; echo: string };

async function post(
  tx: Transaction,
  kind: "grant" | "purchase" | "adjustment",
  posting: Posting,
): Promise<Posted> {
  const { accountId, credits, reference, description } = posting;
  if (!Number.isSafeInteger(credits) || credits === 0 || (credits < 0 && kind !== "adjustment"))
    throw new RangeError(`${credits} are no credits to post as a ${kind}.`);
  const echo = newEcho();
  const [answer] = await tx.execute<Outcome>(sql`
    select outcome, id, ${echo}::text as echo from ledger_post(${uuidOf("account", accountId)}, ${kind}, ${reference}, ${description},
      ${credits}, null, null, null, null, null)`);
  const row = ownRow(answer, echo);
  if (row.outcome === "insufficient")
    throw new ApiError("insufficient_credits", `The account has fewer than ${-credits} free credits.`);
  if (!row.id || row.outcome === "differs")
    throw new Error(`The reference ${reference} was posted before with another kind or amount.`);
  const receiptId = idOf("receipt", row.id);
  const posted = row.outcome === "posted";
  if (posted && credits > 0) await emitTopUpEvent(tx, accountId, credits, receiptId);
  return { receiptId, posted };
}
