import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { newUuid, uuidOf } from "#server/ids.ts";
import { ApiError } from "#server/operation/errors.ts";

/** Credits that come to an account other than by its own calls. */
export interface Posting {
  accountId: string;
  credits: number;
  /** Unique in the account: what is posted under it is posted once. */
  reference: string;
  /** What a person reads in the ledger. */
  description: string;
}

/** Gives an account credits, e.g. at sign-up. False: they were given under this reference before. */
export async function grantCredits(tx: Transaction, posting: Posting): Promise<boolean> {
  return post(tx, "grant", posting);
}

/** Adds credits that were paid for. False: they were added under this reference before. */
export async function addPurchase(tx: Transaction, posting: Posting): Promise<boolean> {
  return post(tx, "purchase", posting);
}

/** Corrects a balance; negative credits take away, at most what is free. False: it was done before. */
export async function adjustCredits(tx: Transaction, posting: Posting): Promise<boolean> {
  return post(tx, "adjustment", posting);
}

async function post(tx: Transaction, kind: "grant" | "purchase" | "adjustment", posting: Posting) {
  const { accountId, credits, reference, description } = posting;
  if (!Number.isSafeInteger(credits) || credits === 0 || (credits < 0 && kind !== "adjustment"))
    throw new RangeError(`${credits} are no credits to post as a ${kind}.`);
  const [row] = await tx.execute<{ outcome: "posted" | "exists" | "differs" | "insufficient" }>(sql`
    select ledger_post(${uuidOf("account", accountId)}, ${newUuid()}, ${kind}, ${reference}, ${description},
      ${credits}, null, null, null, null, null) as outcome`);
  switch (row?.outcome) {
    case "posted":
      return true;
    case "exists":
      return false;
    case "insufficient":
      throw new ApiError("insufficient_credits", `The account has fewer than ${-credits} free credits.`);
    default:
      throw new Error(`The reference ${reference} was posted before with another kind or amount.`);
  }
}
