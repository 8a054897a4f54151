import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { readAccountRow, toAccount } from "./account-rows.ts";
import { Account } from "./schema.ts";

export const readAccount = operation({
  id: "account.read",
  method: "GET",
  path: "/account",
  summary: "Read the account",
  scope: null,
  people: "members",
  surfaces: ["console"],
  output: z.object({ account: Account }),

  async handler({ caller, db }) {
    return { account: toAccount(await readAccountRow(db, caller.accountId)) };
  },
});
