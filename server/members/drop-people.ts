import { and, eq, inArray, notExists, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { members, passwordResets, sessions, users } from "#db/schema/accounts.ts";

/** Deletes those of these users who are members of no account any more; an operator only loses their sessions. */
export async function dropPeople(tx: Transaction, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [...userIds]))
    .orderBy(users.id)
    .for("update");
  // Somebody may have joined another account until the locks were taken; nobody can any more.
  const gone = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        inArray(users.id, [...userIds]),
        notExists(tx.select({ one: sql`1` }).from(members).where(eq(members.userId, users.id))),
      ),
    );
  const ids = gone.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.delete(sessions).where(inArray(sessions.userId, ids));
  await tx.delete(passwordResets).where(inArray(passwordResets.userId, ids));
  await tx.delete(users).where(and(inArray(users.id, ids), eq(users.isOperator, false)));
}
