import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { quotes } from "#db/schema/quotes.ts";
import { newId, uuidOf } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { visible } from "#server/operation/tenancy.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import { type PolicyDecision, QUOTE_SECONDS, type Quote, type QuoteFee, type QuoteKind } from "./schema.ts";

export type QuoteRow = typeof quotes.$inferSelect;

/** Keeps what an execution would do, for a minute; answers the wire's quote. */
export async function insertQuote(
  tx: Transaction,
  quote: {
    wallet: WalletRow;
    kind: QuoteKind;
    /** What was asked for, as it is shown. */
    input: Record<string, unknown>;
    /** In whole units of the receiving asset; null for sends and signatures. */
    expected: string | null;
    minimum: string | null;
    fees: QuoteFee[];
    chargedCredits: number;
    policy: PolicyDecision;
    /** What the execution needs beyond what is shown: JSON, with integers as text. */
    plan: Record<string, unknown>;
  },
): Promise<z.input<typeof Quote>> {
  const { wallet, kind, plan, ...shown } = quote;
  const { accountId, projectId, endUserId, endUser, id: walletId } = wallet;
  const [row] = await tx
    .insert(quotes)
    .values({
      ...{ accountId, projectId, endUserId, id: newId("quote"), kind, walletId },
      shown: sql`${JSON.stringify(shown)}::jsonb`,
      plan: sql`${JSON.stringify(plan)}::jsonb`,
      expiresAt: sql`clock_timestamp() + ${QUOTE_SECONDS} * interval '1 second'`,
    })
    .returning();
  const { id, expiresAt, createdAt } = row as QuoteRow;
  const times = { expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
  return { id, kind, walletId, ...shown, projectId, endUser, ...times };
}

/**
 * Uses a quote up for what it becomes, in the transaction that makes that: of two executions the second finds it used.
 * With a `walletId` it must be a quote of that wallet.
 */
export async function takeQuote(
  tx: Transaction,
  wanted: { caller: Caller; quoteId: string; kind: QuoteKind; usedBy: string; walletId?: string },
): Promise<QuoteRow> {
  const { caller, quoteId, kind, usedBy, walletId } = wanted;
  if (uuidOf("quote", quoteId) === null) throw notFound("quote", quoteId);
  const mine = and(
    visible(quotes, caller),
    eq(quotes.id, quoteId),
    eq(quotes.kind, kind),
    walletId === undefined ? undefined : eq(quotes.walletId, walletId),
  ) as SQL;
  const [taken] = await tx
    .update(quotes)
    .set({ usedBy })
    .where(and(mine, isNull(quotes.usedBy), sql`${quotes.expiresAt} > clock_timestamp()`))
    .returning();
  if (taken) return taken;
  const [row] = await tx.select().from(quotes).where(mine);
  if (!row) throw notFound("quote", quoteId);
  if (row.usedBy !== null)
    throw new ApiError("state_conflict", `Quote ${quoteId} was executed: it became ${row.usedBy}.`);
  throw new ApiError(
    "quote_expired",
    `Quote ${quoteId} expired at ${row.expiresAt.toISOString()}. Ask for another one.`,
  );
}
