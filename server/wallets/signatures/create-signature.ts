import { z } from "zod";
import type { Db } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import { operation } from "#server/operation/operation.ts";
import { executeQuote } from "../executions/execution.ts";
import { WalletParams } from "../schema.ts";
import { selectSignatures, signatureWith, toSignature } from "./rows.ts";
import { CreateSignature, Signature } from "./schema.ts";
import { signatureExecution } from "./signature-execution.ts";

export const createSignature = operation({
  id: "wallets.signatures.create",
  method: "POST",
  path: "/wallets/{walletId}/signatures",
  summary: "Execute a signature quote",
  description:
    "Signs the payload of a quote, once. The policy is judged again; if it requires an approval, the response is 202, and the event `wallet.signature.signed` or a repeat of this call returns the signature. If other reservations leave too little for a transfer by signature (EIP-3009), the response is 409 `state_conflict`.",
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
