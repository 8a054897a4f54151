import { and, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { quotes } from "#db/schema/quotes.ts";
import { currentMs } from "#server/base/clock.ts";
import { newId, timeOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import { type PolicyDecision, QUOTE_SECONDS, type Quote, type QuoteFee, type QuoteKind } from "./schema.ts";

export type QuoteRow = typeof quotes.$inferSelect;

/** A new quote, with the effect of its execution. */
export interface NewQuote {
  wallet: WalletRow;
  kind: QuoteKind;
  /** The request, in its public form. */
  input: Record<string, unknown>;
  /** In whole units of the receiving asset; null for sends and signatures. */
  expected: string | null;
  minimum: string | null;
  fees: QuoteFee[];
  chargedCredits: number;
  policy: PolicyDecision;
  /** The data of the execution beyond the public form: JSON, with integers as text. */
  plan: Record<string, unknown>;
}

/** Returns a new quote in its public form, and the statement of a batch that stores it. */
export function draftQuote({ wallet, kind, plan, ...shown }: NewQuote) {
  const { accountId, projectId, endUserId, endUser, id: walletId } = wallet;
  const id = newId("quote");
  const uuid = toUuid("quote", id);
  const createdAt = timeOf(uuid);
  const expiresAt = new Date(createdAt.getTime() + QUOTE_SECONDS * 1000);
  const times = { expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
  const row = {
    id: uuid,
    kind,
    shown,
    plan,
    account_id: uuidOf("account", accountId),
    wallet_id: uuidOf("wallet", walletId),
    project_id: projectId && uuidOf("project", projectId),
    end_user_id: endUserId && uuidOf("endUser", endUserId),
  };
  const quote: z.input<typeof Quote> = { id, kind, walletId, ...shown, projectId, endUser, ...times };
  return { quote, kept: sql`keep_quote(${JSON.stringify(row)}::jsonb, ${QUOTE_SECONDS})` };
}

/** Stores a new quote; returns it in its public form. */
export async function insertQuote(tx: Transaction, made: NewQuote): Promise<z.input<typeof Quote>> {
  const { quote, kept } = draftQuote(made);
  await tx.execute(sql`select ${kept}`);
  return quote;
}

/** Returns why a quote cannot be executed: it was executed before, or it has expired; null if it can. */
export function spentError(quote: Pick<QuoteRow, "id" | "usedBy" | "expiresAt">): ApiError | null {
  const { id, usedBy, expiresAt } = quote;
  if (usedBy !== null)
    return new ApiError("state_conflict", `Quote ${id} was executed: it became ${usedBy}.`);
  return expiresAt.getTime() <= currentMs() ? expiredError(quote) : null;
}

const expiredError = ({ id, expiresAt }: Pick<QuoteRow, "id" | "expiresAt">) =>
  new ApiError("quote_expired", `Quote ${id} expired at ${expiresAt.toISOString()}. Ask for another one.`);

/** Marks a quote as used by a resource, as a statement of a batch; the second of two executions finds it used. */
export function takenQuote({ accountId, id }: Pick<QuoteRow, "accountId" | "id">, usedBy: string): SQL {
  return sql`take_quote(${uuidOf("account", accountId)}, ${uuidOf("quote", id)}, ${usedBy})`;
}

/** Returns why a quote could not be taken. */
export async function untakenError(
  db: Db,
  { accountId, id }: Pick<QuoteRow, "accountId" | "id">,
): Promise<ApiError> {
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.accountId, accountId), eq(quotes.id, id)));
  if (!row) return notFound("quote", id);
  // It may have expired by the database's clock only.
  return spentError(row) ?? expiredError(row);
}
