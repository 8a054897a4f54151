import { sql } from "drizzle-orm";
import { z } from "zod";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { operation } from "#server/operation/operation.ts";
import { balanceOf } from "./queries.ts";
import { Balance, UpdateThreshold } from "./schema.ts";

export const updateThreshold = operation({
  id: "credits.threshold.update",
  method: "PATCH",
  path: "/credits/threshold",
  surfaces: ["console"],
  summary: "Update the threshold of low credits",
  description:
    "Sets the total below which the account's credits count as low: the console warns then, and webhooks get `credits.low` by the charge that takes the total there.",
  scope: "credits:write",
  idempotent: true,
  body: UpdateThreshold,
  output: z.object({ balance: Balance }),

  async handler({ body: { lowThreshold }, caller, db }) {
    await db
      .insert(ledgerAccounts)
      .values({ accountId: caller.accountId, book: "customer", lowThreshold })
      .onConflictDoUpdate({
        target: [ledgerAccounts.accountId, ledgerAccounts.book],
        set: { lowThreshold: sql`excluded.low_threshold` },
      });
    return { balance: await balanceOf(db, caller.accountId) };
  },
});
