import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { currentTime } from "#server/base/clock.ts";
import type { Balance } from "./schema.ts";

/** A balance below this counts as low, unless the account has chosen another threshold. */
const LOW_THRESHOLD = 1000;

/** Returns the account's balance. */
export async function balanceOf(db: Db | Transaction, accountId: string): Promise<z.input<typeof Balance>> {
  const [book] = await db
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.accountId, accountId), eq(ledgerAccounts.book, "customer")));
  const { posted, held, lowThreshold } = book ?? { posted: 0, held: 0, lowThreshold: LOW_THRESHOLD };
  return {
    availableCredits: posted - held,
    reservedCredits: held,
    totalCredits: posted,
    lowThreshold,
    asOf: currentTime().toISOString(),
  };
}
