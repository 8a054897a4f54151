import type { z } from "zod";
import { grantCredits } from "#server/credits/post-credits.ts";
import { platform } from "#server/platform.ts";
import { createAccount } from "./create-account.ts";
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
