import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { executeQuote } from "../executions/execution.ts";
import { WalletParams } from "../schema.ts";
import { sendExecution } from "./execution.ts";
import { CreateTransaction, Transaction } from "./schema.ts";

export const createTransaction = operation({
  id: "wallets.transactions.create",
  method: "POST",
  path: "/wallets/{walletId}/transactions",
  summary: "Send what was quoted",
  description:
    "Executes a quote, exactly once, whatever breaks off. The policy is judged again now; where it asks for an approval, the transaction waits for that and is judged once more. Its credits are held now and charged when the chain has taken it; what is never sent costs nothing.",
  scope: "wallets:transact",
  service: "managed-wallets",
  metered: true,
  stepUp: true,
  idempotent: true,
  movesMoney: true,
  external: "reads",
  params: WalletParams,
  body: CreateTransaction,
  output: z.object({ transaction: Transaction }),
  status: 202,
  errors: [
    "not_found",
    "quote_expired",
    "state_conflict",
    "policy_denied",
    "already_exists",
    "insufficient_credits",
    "service_unavailable",
  ],

  handler: ({ params, body, ...context }) =>
    executeQuote(sendExecution, { ...context, ...body, walletId: params.walletId }),
});
