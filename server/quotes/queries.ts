import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { quotes } from "#db/schema/quotes.ts";
import { newId, timeOf, uuidOf } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { visible } from "#server/operation/tenancy.ts";
import type { WalletRow } from "#server/wallets/queries.ts";
import { type PolicyDecision, QUOTE_SECONDS, type Quote, type QuoteFee, type QuoteKind } from "./schema.ts";

export type QuoteRow = typeof quotes.$inferSelect;

/** What an execution would do. */
export interface NewQuote {
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
}

/** The wire's form of a new quote, and the act that keeps it for a minute. */
export function draftQuote({ wallet, kind, plan, ...shown }: NewQuote) {
  const { accountId, projectId, endUserId, endUser, id: walletId } = wallet;
  const id = newId("quote");
  const uuid = uuidOf("quote", id) as string;
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

/** Keeps a new quote; answers it as the wire shows it. */
export async function insertQuote(tx: Transaction, made: NewQuote): Promise<z.input<typeof Quote>> {
  const { quote, kept } = draftQuote(made);
  await tx.execute(sql`select ${kept}`);
  return quote;
}

interface Wanted {
  caller: Caller;
  quoteId: string;
  kind: QuoteKind;
  /** With one it must be a quote of that wallet. */
  walletId?: string;
}

function wantedQuote({ caller, quoteId, kind, walletId }: Wanted): SQL {
  if (uuidOf("quote", quoteId) === null) throw notFound("quote", quoteId);
  return and(
    visible(quotes, caller),
    eq(quotes.id, quoteId),
    eq(quotes.kind, kind),
    walletId === undefined ? undefined : eq(quotes.walletId, walletId),
  ) as SQL;
}

/** A quote, to prepare its execution by; `takeQuote` decides. One that was executed, or has expired, is refused at once. */
export async function readQuote(db: Db | Transaction, wanted: Wanted): Promise<QuoteRow> {
  const [row] = await db.select().from(quotes).where(wantedQuote(wanted));
  if (!row) throw notFound("quote", wanted.quoteId);
  refuseSpent(row);
  return row;
}

/** Refuses a quote that was executed, or has expired. */
export function refuseSpent({ id, usedBy, expiresAt }: Pick<QuoteRow, "id" | "usedBy" | "expiresAt">): void {
  if (usedBy !== null) throw new ApiError("state_conflict", `Quote ${id} was executed: it became ${usedBy}.`);
  if (expiresAt.getTime() <= Date.now()) throw expired({ id, expiresAt });
}

const expired = ({ id, expiresAt }: Pick<QuoteRow, "id" | "expiresAt">) =>
  new ApiError("quote_expired", `Quote ${id} expired at ${expiresAt.toISOString()}. Ask for another one.`);

/** Uses a quote up for what it becomes, in the transaction that makes that: of two executions the second finds it used. */
export async function takeQuote(
  tx: Transaction,
  { usedBy, ...wanted }: Wanted & { usedBy: string },
): Promise<QuoteRow> {
  const [taken] = await tx
    .update(quotes)
    .set({ usedBy })
    .where(and(wantedQuote(wanted), isNull(quotes.usedBy), sql`${quotes.expiresAt} > clock_timestamp()`))
    .returning();
  if (!taken) throw await quoteSpent(tx, wanted);
  return taken;
}

/** Why a quote could not be taken. */
export async function quoteSpent(db: Db | Transaction, wanted: Wanted): Promise<unknown> {
  try {
    // Its time may have come by the database's clock alone.
    return expired(await readQuote(db, wanted));
  } catch (reason) {
    return reason;
  }
}

/** `takeQuote` as a statement of a batch, of a quote that was read; its answer is whether it was taken. */
export function takenQuote({ accountId, id }: Pick<QuoteRow, "accountId" | "id">, usedBy: string): SQL {
  return sql`take_quote(${uuidOf("account", accountId)}, ${uuidOf("quote", id)}, ${usedBy})`;
}
