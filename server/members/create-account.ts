import type { Transaction } from "#db/client.ts";
import { accounts, members, users } from "#db/schema/accounts.ts";
import { newId } from "#server/ids.ts";
import { ApiError } from "#server/operation/errors.ts";

/** A person who owns a new account. The unique index decides who gets an e-mail address. */
export async function createAccount(
  tx: Transaction,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<{ accountId: string; memberId: string }> {
  const [accountId, userId, memberId] = [newId("account"), newId("user"), newId("member")];
  const [user] = await tx
    .insert(users)
    .values({ id: userId, email, name, passwordHash })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (!user) throw new ApiError("already_exists", `Somebody has signed up as ${email}. Sign in instead.`);
  await tx.insert(accounts).values({ id: accountId, name });
  await tx.insert(members).values({ accountId, id: memberId, userId, role: "owner" });
  return { accountId, memberId };
}
