import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { balanceOf } from "./queries.ts";
import { Balance } from "./schema.ts";

export const readBalance = operation({
  id: "credits.balance.read",
  method: "GET",
  path: "/credits/balance",
  summary: "Read the credit balance",
  description: "The account's credits. Projects and end users share them.",
  scope: "credits:read",
  output: z.object({ balance: Balance }),

  async handler({ caller, db }) {
    return { balance: await balanceOf(db, caller.accountId) };
  },
});
