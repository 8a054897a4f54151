import { eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "#db/schema/accounts.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { readAccountRow, toAccount } from "./account-rows.ts";
import { findMember } from "./queries.ts";
import { Account, UpdateAccount } from "./schema.ts";

export const updateAccount = operation({
  id: "account.update",
  method: "PATCH",
  path: "/account",
  summary: "Change the account",
  description:
    "If a second factor is required, members without one can do nothing in the console until they set one up; API keys continue to work. Only an owner with a second factor may require it.",
  scope: null,
  people: "owners",
  stepUp: true,
  idempotent: true,
  surfaces: ["console"],
  body: UpdateAccount,
  output: z.object({ account: Account }),
  errors: ["state_conflict"],

  async handler({ body, caller, db }) {
    const { accountId } = caller;
    if (body.requireSecondFactor && !(await findMember(db, accountId, caller.id)).secondFactor)
      throw new ApiError(
        "state_conflict",
        "You have no second factor yourself and would be locked out. Set one up under Security first.",
      );
    if (Object.keys(body).length > 0) await db.update(accounts).set(body).where(eq(accounts.id, accountId));
    return { account: toAccount(await readAccountRow(db, accountId)) };
  },
});
