import { z } from "zod";
import type { Db } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import { operation } from "#server/operation/operation.ts";
import { executeQuote } from "../executions/execution.ts";
import { WalletParams } from "../schema.ts";
import { signatureExecution } from "./execution.ts";
import { selectSignatures, signatureWith, toSignature } from "./rows.ts";
import { CreateSignature, Signature } from "./schema.ts";

export const createSignature = operation({
  id: "wallets.signatures.create",
  method: "POST",
  path: "/wallets/{walletId}/signatures",
  summary: "Sign what was quoted",
  description:
    "Executes a quote. The policy is judged again now; where it asks for an approval the answer is 202, and the signature comes with `wallet.signature.signed`, or with a repeat of this call, which answers it as it is then. A transfer by signature (EIP-3009) that others leave too little for is 409 `state_conflict`.",
  scope: "wallets:sign",
  service: "managed-wallets",
  stepUp: true,
  idempotent: true,
  movesMoney: true,
  // A key may lie in a vault on the network.
  external: true,
  params: WalletParams,
  body: CreateSignature,
  output: z.object({ signature: Signature }),
  status: 201,
  otherStatuses: { 202: "It awaits its approval." },
  errors: ["not_found", "quote_expired", "state_conflict", "policy_denied", "service_unavailable"],

  handler: ({ params, body, response, ...context }) =>
    executeQuote(signatureExecution, {
      ...context,
      ...body,
      walletId: params.walletId,
      onAwaitingApproval: () => response.status(202),
    }),

  async refresh({
    output,
    caller: { accountId },
    db,
  }: {
    output: { signature: Signature };
    caller: Caller;
    db: Db;
  }) {
    const [row] = await selectSignatures(db).where(signatureWith({ accountId, id: output.signature.id }));
    const signature = row ? toSignature(row) : output.signature;
    return { output: { signature }, status: signature.status === "awaiting_approval" ? 202 : 201 };
  },
});
