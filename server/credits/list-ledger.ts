import { and, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf, anyOf } from "#db/conditions.ts";
import { ledgerEntries, ledgerTransactions } from "#db/schema/ledger.ts";
import { payments } from "#db/schema/payments.ts";
import { ApiError } from "#server/operation/errors.ts";
import { ADDRESS, contains, matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { LedgerEntry } from "./schema.ts";

const REQUEST_ID = /^req_/i;

/** Matches purchases whose payer or transaction hash contains the text. */
function paidBy(db: Db | Transaction, accountId: string, text: string): SQL {
  const receipts = db
    .select({ id: payments.receiptId })
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accountId),
        isNotNull(payments.receiptId),
        or(contains(payments.payer, text), contains(payments.transactionHash, text)),
      ),
    );
  return inArray(ledgerTransactions.id, receipts);
}

/** Also says that it is no usage, as most are: the index of kinds has only the others. */
const ofKind = (kind: z.output<typeof LedgerEntry>["kind"]) =>
  and(
    eq(ledgerTransactions.kind, kind),
    kind === "usage" ? undefined : sql`${ledgerTransactions.kind} <> 'usage'`,
  );

export const listLedger = operation({
  id: "credits.ledger.list",
  method: "GET",
  path: "/credits/ledger",
  summary: "List ledger entries",
  description:
    "Lists every change of the account's credits, newest first; within a selected project its charges. Credits are the account's: there is no ledger of an end user.",
  scope: "credits:read",
  query: CountedPageQuery.extend({
    kind: LedgerEntry.shape.kind.optional().describe("Only changes of this kind."),
    search: searchBy("Only changes whose description, operation, request id, payer or transaction hash"),
    ...PeriodQuery.shape,
    sort: sortBy(),
  }),
  output: z.object({ entries: z.array(LedgerEntry), nextCursor, total }),
  errors: ["end_user_not_allowed"],

  async handler({ query, caller, db, request }) {
    if (caller.endUser)
      throw new ApiError(
        "end_user_not_allowed",
        "Credits are the account's, and no entry says for which end user it was. Ask without an end user.",
      );
    const page = pageOf("receipt", ledgerTransactions.id, query);
    const condition = allOf(
      eq(ledgerTransactions.accountId, caller.accountId),
      caller.project ? eq(ledgerTransactions.projectId, caller.project.id) : undefined,
      query.kind && ofKind(query.kind),
      query.search === undefined
        ? undefined
        : anyOf(
            matching(query.search, {
              kind: "receipt",
              id: ledgerTransactions.id,
              columns: [ledgerTransactions.description, ledgerTransactions.operation],
              plain: { columns: [ledgerTransactions.requestId], made: REQUEST_ID },
            }),
            ADDRESS.test(query.search) ? paidBy(db, caller.accountId, query.search) : undefined,
          ),
      within(ledgerTransactions.id, query),
    );
    const found = await db
      .select({
        id: ledgerTransactions.id,
        at: ledgerTransactions.at,
        kind: ledgerTransactions.kind,
        description: ledgerTransactions.description,
        amount: ledgerEntries.amount,
        balanceAfter: ledgerEntries.balanceAfter,
        operation: ledgerTransactions.operation,
        requestId: ledgerTransactions.requestId,
        projectId: ledgerTransactions.projectId,
      })
      .from(ledgerTransactions)
      .innerJoin(
        ledgerEntries,
        and(
          eq(ledgerEntries.accountId, ledgerTransactions.accountId),
          eq(ledgerEntries.transactionId, ledgerTransactions.id),
          eq(ledgerEntries.book, "customer"),
        ),
      )
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const entries = rows.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      receiptUrl: row.kind === "purchase" ? `${request.baseUrl}/receipts/${row.id}` : null,
    }));
    const all = db.select().from(ledgerTransactions).where(condition);
    return { entries, nextCursor, total: await page.total(db, () => all, { rows, nextCursor }) };
  },
});
