import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { toUuid } from "#server/base/ids.ts";
import { operation } from "#server/operation/operation.ts";
import { balanceOf } from "./queries.ts";
import { Balance } from "./schema.ts";

export const readBalance = operation({
  id: "credits.balance.read",
  method: "GET",
  path: "/credits/balance",
  summary: "Read the credit balance",
  description: "Returns the account's credits, which all its projects and end users share.",
  scope: "credits:read",
  query: z.object({
    historyDays: z
      .int()
      .min(1)
      .max(366)
      .optional()
      .describe("The number of days, up to today, for which to return `history`; by default none."),
  }),
  output: z.object({ balance: Balance }),

  async handler({ query: { historyDays }, caller, db }) {
    const balance = await balanceOf(db, caller.accountId);
    return historyDays === undefined
      ? { balance }
      : { balance: { ...balance, history: await historyOf(db, caller.accountId, historyDays) } };
  },
});

/** One look-up by primary key per day: the entries' ids are in the order of the balances, and contain their time. */
async function historyOf(
  db: Db | Transaction,
  accountId: string,
  days: number,
): Promise<NonNullable<z.input<typeof Balance>["history"]>> {
  const rows = await db.execute<{ day: string; totalCredits: string }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce((
      select e.balance_after from ledger_entries e
      where e.account_id = ${toUuid("account", accountId)} and e.book = 'customer'
        and e.transaction_id < uuid_floor((d.day + interval '1 day') at time zone 'UTC')
      order by e.transaction_id desc limit 1), 0) as "totalCredits"
    from generate_series(utc_today() - (${days}::int - 1), utc_today(), interval '1 day') d(day)
    order by d.day`);
  return rows.map(({ day, totalCredits }) => ({ day, totalCredits: Number(totalCredits) }));
}
