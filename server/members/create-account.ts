import type { Transaction } from "#db/client.ts";
import { accounts, members, users } from "#db/schema/accounts.ts";
import { newId } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";

interface NewUser {
  name: string;
  email: string;
  passwordHash: string;
}

/** Inserts a new account with a person as its owner. */
export async function createAccount(
  tx: Transaction,
  user: NewUser,
): Promise<{ accountId: string; memberId: string }> {
  const userId = await createUser(tx, user);
  const [accountId, memberId] = [newId("account"), newId("member")];
  await tx.insert(accounts).values({ id: accountId, name: user.name });
  await tx.insert(members).values({ accountId, id: memberId, userId, role: "owner" });
  return { accountId, memberId };
}

/** Inserts a person without an account. The unique index decides who gets an e-mail address. */
export async function createUser(tx: Transaction, { name, email, passwordHash }: NewUser): Promise<string> {
  const [user] = await tx
    .insert(users)
    .values({ id: newId("user"), email, name, passwordHash })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (!user) throw new ApiError("already_exists", `Somebody has signed up as ${email}. Sign in instead.`);
  return user.id;
}
