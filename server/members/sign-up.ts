import type { z } from "zod";
import { grantCredits } from "#server/credits/post-credits.ts";
import { takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { createAccount, createUser } from "./create-account.ts";
import { refuseGuessable } from "./password-strength.ts";
import { hashPassword } from "./passwords.ts";
import { type Origin, recordAct } from "./record-act.ts";
import type { SignUp } from "./schema.ts";

/** Inserts a person, and an account of their own unless they follow an invitation. */
export async function signUp(input: z.output<typeof SignUp>, origin: Origin): Promise<{ accountId: string }> {
  await takeTry("signUp", origin.ip ?? "");
  const { name, email, invitation: token } = input;
  await refuseGuessable(input.password, "password", [email, name]);
  const passwordHash = await hashPassword(input.password);
  return platform().database.db.transaction(async (tx) => {
    if (token !== undefined) {
      const id = await createUser(tx, { name, email, passwordHash });
      const { accountId } = await acceptInvitation(tx, { token, user: { id, email, name } }, origin);
      return { accountId };
    }
    const made = await createAccount(tx, { name, email, passwordHash });
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
      { ...made, name },
      { operation: "accounts.create", resource: made.accountId },
      origin,
    );
    return { accountId: made.accountId };
  });
}
