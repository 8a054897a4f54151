import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { executeQuote } from "../executions/execution.ts";
import { WalletParams } from "../schema.ts";
import { CreateTransaction, Transaction } from "./schema.ts";
import { sendExecution } from "./send-execution.ts";

export const createTransaction = operation({
  id: "wallets.transactions.create",
  method: "POST",
  path: "/wallets/{walletId}/transactions",
  summary: "Execute a send quote",
  description:
    "Executes a quote exactly once, also if connections or processes fail. The policy is judged again; if it requires an approval, the transaction waits for it and is then judged once more. The credits are reserved now and charged when the chain has accepted the transaction; a transaction that is never sent is free.",
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
