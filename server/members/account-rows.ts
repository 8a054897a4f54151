import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { accounts } from "#db/schema/accounts.ts";
import { notFound } from "#server/operation/errors.ts";
import type { Account } from "./schema.ts";

type AccountRow = typeof accounts.$inferSelect;

/** Returns the account's row. */
export async function readAccountRow(db: Db | Transaction, id: string): Promise<AccountRow> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
  if (!row) throw notFound("account", id);
  return row;
}

/** Returns the public form of an account. */
export function toAccount({ createdAt, ...row }: AccountRow): z.input<typeof Account> {
  return { ...row, createdAt: createdAt.toISOString() };
}
