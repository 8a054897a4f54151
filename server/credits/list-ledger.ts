import { and, eq, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ledgerEntries, ledgerTransactions } from "#db/schema/ledger.ts";
import { operation } from "#server/operation/operation.ts";
import { nextCursor, PageQuery, pageOf } from "#server/operation/page.ts";
import { LedgerEntry } from "./schema.ts";

export const listLedger = operation({
  id: "credits.ledger.list",
  method: "GET",
  path: "/credits/ledger",
  summary: "List ledger entries",
  description: "Every change of the account's credits, newest first; within a selected project its charges.",
  scope: "credits:read",
  surfaces: ["console"],
  query: PageQuery.extend({
    kind: LedgerEntry.shape.kind.optional().describe("Only changes of this kind."),
  }),
  output: z.object({ entries: z.array(LedgerEntry), nextCursor }),

  async handler({ query, caller, db, request }) {
    const page = pageOf("receipt", ledgerTransactions.id, query);
    const condition = and(
      eq(ledgerTransactions.accountId, caller.accountId),
      caller.project ? eq(ledgerTransactions.projectId, caller.project.id) : undefined,
      query.kind && eq(ledgerTransactions.kind, query.kind),
    ) as SQL;
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
    return { entries, nextCursor };
  },
});
