import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { accounts, members, users } from "#db/schema/accounts.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { newId } from "#server/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { hashPassword } from "./passwords.ts";
import { type Origin, recordAct } from "./record-act.ts";
import type { SignUp } from "./schema.ts";
import { takeTry } from "./throttle.ts";

/** Makes a person and an account of his own. */
export async function signUp(input: z.output<typeof SignUp>, origin: Origin): Promise<{ accountId: string }> {
  await takeTry("signUp", origin.ip ?? "");
  const passwordHash = await hashPassword(input.password);
  return platform().database.db.transaction(async (tx) => {
    const made = await createAccount(tx, { ...input, passwordHash });
    const credits = platform().settings.signupCredits;
    if (credits > 0) {
      await grantCredits(tx, {
        accountId: made.accountId,
        credits,
        reference: "sign-up",
        description: "Credits to start with",
      });
    }
    await recordAct(
      tx,
      { ...made, name: input.name },
      { operation: "accounts.create", resource: made.accountId },
      origin,
    );
    return { accountId: made.accountId };
  });
}

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
