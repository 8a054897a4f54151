import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";

/** The price of a call, and who pays it. */
export interface Charge {
  /** Its account pays; every covering `creditsPerDay` of a key and of the keys above it applies. */
  caller: Caller;
  /** The selectors that cover the call, the most exact first; see `selectorsOf`. */
  selectors: readonly string[];
  credits: number;
  /** The text that a person reads in the ledger. Never a customer's own text. */
  description: string;
  priceVersion: string;
  requestId: string;
  /** The run whose step makes the call, if the credits are charged after the call: they count for the run, too. */
  runId?: string | null;
}

/** The ledger's refusal, as its functions return it. */
export type Refusal =
  | { code: "limit_exhausted"; keyId: string; selector: string; limit: number }
  | { code: "insufficient_credits"; available: number };

/** Returns who pays and which limits apply, as the first arguments of the ledger's functions. */
export function payerOf({ caller }: Charge): { account: SQL; keys: SQL } {
  const keys = caller.type === "key" ? caller.chain.map((id) => uuidOf("apiKey", id)) : [];
  return {
    account: sql`${uuidOf("account", caller.accountId)}::uuid`,
    keys: sql`${sql.param(keys)}::uuid[]`,
  };
}

/** Returns the project under which a charge is shown. */
export function projectOf({ caller }: Charge): string | null {
  return caller.project && uuidOf("project", caller.project.id);
}

/**
 * Refuses a charge that the account or a daily limit cannot pay now. Locks and holds nothing: the charge or hold
 * decides.
 */
export async function refuseUnaffordable(db: Db | Transaction, charge: Charge): Promise<void> {
  if (charge.credits === 0) return;
  const { account, keys } = payerOf(charge);
  const echo = newEcho();
  const [row] = await db.execute<{ refusal: Refusal | null; echo: string }>(sql`
    select ledger_refusal(${account}, ${keys}, ${sql.param(charge.selectors)}::text[], ${charge.credits}, utc_today()) as refusal,
      ${echo}::text as echo`);
  throwRefusal(ownRow(row, echo).refusal, charge);
}

/** Throws the caller's error if the ledger refused. */
export function throwRefusal(refusal: Refusal | null | undefined, charge: Charge): void {
  if (refusal) throw refusedCharge(refusal, charge);
}

/** Returns the error for a charge that the ledger refused. */
export function refusedCharge(refusal: Refusal, { credits, selectors }: Charge): ApiError {
  if (refusal.code === "insufficient_credits") {
    return new ApiError(
      "insufficient_credits",
      `The call may cost ${credits} credits; the account has ${refusal.available} free. Top up, then send it again.`,
    );
  }
  const keyId = idOf("apiKey", refusal.keyId);
  const now = currentMs();
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0);
  return new ApiError(
    "limit_exhausted",
    `Key ${keyId} allows ${refusal.limit} credits a day on ${refusal.selector}; ${credits} more would pass it.`,
    {
      check: "limit",
      keyId,
      limit: {
        operation: refusal.selector,
        kind: "creditsPerDay",
        keyId,
        limit: refusal.limit,
        resetAt: new Date(midnight).toISOString(),
      },
      retryAfterSeconds: Math.max(1, Math.ceil((midnight - now) / 1000)),
      headers: { "x-service-limit-operation": defined(selectors[0]) },
    },
  );
}
