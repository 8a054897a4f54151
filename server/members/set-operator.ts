import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { users } from "#db/schema/accounts.ts";
import { recordByOperator } from "./record-act.ts";

/**
 * Lets the person with this address look at the whole installation, or no longer. Returns false where nobody signs in
 * with it.
 */
export async function setOperator(tx: Transaction, email: string, isOperator: boolean): Promise<boolean> {
  const [user] = await tx
    .update(users)
    .set({ isOperator })
    .where(eq(sql`lower(${users.email})`, email))
    .returning({ id: users.id, name: users.name });
  if (user) await recordByOperator(tx, user, isOperator ? "operators.add" : "operators.remove");
  return user !== undefined;
}
