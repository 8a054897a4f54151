import { and, eq, inArray, isNull, ne, notExists, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import {
  closedAccounts,
  invitations,
  members,
  passwordResets,
  sessions,
  users,
} from "#db/schema/accounts.ts";
import { apiKeys, creditTokens } from "#db/schema/keys.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { readAccountRow, toAccount } from "./account-rows.ts";
import { enqueueErasure } from "./enqueue-erasure.ts";
import { lockMembership } from "./queries.ts";
import { Account } from "./schema.ts";
import { listUnfinished } from "./unfinished.ts";

export const deleteAccount = operation({
  id: "account.delete",
  method: "DELETE",
  path: "/account",
  summary: "Delete the account",
  description:
    "Permanent. At once, every key and credit token of the account ends, and every member loses access; people who belong to no other account can sign up anew. The account's data is erased within the hour, and with it the names in its audit; addresses of downloads work until then. The ledger, usage, the audit, and wallets with their transactions are kept. Credits that are left, and whatever its wallets hold, are lost. Refused while the account has a managed database or work that has not ended.",
  scope: null,
  people: "owners",
  stepUp: true,
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  output: z.object({ account: Account.describe("The account before it was deleted.") }),
  errors: ["state_conflict"],

  async handler({ caller, db }) {
    const { accountId } = caller;
    await lockMembership(db, caller, caller.id);
    const account = toAccount(await readAccountRow(db, accountId));
    const unfinished = await listUnfinished(db, accountId);
    if (unfinished.length > 0)
      throw new ApiError(
        "state_conflict",
        `The account can't be deleted while it has ${unfinished.join(" and ")}. Remove the database, and end the rest or wait until it has ended.`,
      );
    // A concurrent call that accepts an invitation or makes a key locks the invitation, member or token first. These are
    // deleted before the keys are revoked: the call has then committed, and its key is revoked, too, or it fails.
    await db.delete(invitations).where(eq(invitations.accountId, accountId));
    const left = await db.delete(members).where(eq(members.accountId, accountId)).returning();
    await db.delete(creditTokens).where(eq(creditTokens.accountId, accountId));
    const now = sql`clock_timestamp()`;
    await db
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
    await db
      .update(webhooks)
      .set({ status: "disabled", disabledReason: "key_revoked", disabledAt: now, updatedAt: now })
      .where(and(eq(webhooks.accountId, accountId), ne(webhooks.status, "disabled")));
    await dropPeople(
      db,
      left.map(({ userId }) => userId),
    );
    await db.insert(closedAccounts).values({ accountId });
    await enqueueErasure(db, accountId);
    return { account };
  },
});

/** Deletes those of these users who are members of no account any more; an operator only loses their sessions. */
async function dropPeople(tx: Transaction, userIds: readonly string[]): Promise<void> {
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
