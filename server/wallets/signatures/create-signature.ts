import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { signatures } from "#db/schema/signatures.ts";
import { newId } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { callerUuid } from "#server/operation/recorder.ts";
import { readQuote, takeQuote } from "#server/quotes/queries.ts";
import { reserveCap } from "../caps.ts";
import { askForApproval } from "../executions/execution.ts";
import { type Balances, reserveFunds, withBalances } from "../funds.ts";
import { readFacts } from "../judge.ts";
import { lockWallet, readWallet, type WalletRow } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { authorizedBy } from "./authorized.ts";
import { approvalPayload, signatureExecution } from "./execution.ts";
import { displayOf, judgePayload, networkOf, type Payload, signPayload } from "./payload.ts";
import { announceSignature, selectSignatures, signatureWith, toSignature } from "./rows.ts";
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

  async handler({ params, body: { quoteId }, caller, db, reply, commit }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const wanted = { caller, quoteId, kind: "signature", walletId: wallet.id } as const;
    const { plan } = await readQuote(db, wanted);
    const { payload, payloadHash } = plan as { payload: Payload; payloadHash: string };
    const judgedBy = { wallet, network: networkOf(payload) };
    const { decision, reasons } = judgePayload(await readFacts(db, judgedBy), payload);
    if (decision === "deny") throw new ApiError("policy_denied", reasons.join(" "));
    const signature = decision === "allow" ? await signPayload(wallet, payload) : null;
    const authorized = await authorizedBy(wallet, payload);
    const work = (balances: Balances | null) =>
      commit(async (tx) => {
        const id = newId("signature");
        await takeQuote(tx, { ...wanted, usedBy: id });
        await lockWallet(tx, wallet);
        const judged = judgePayload(await readFacts(tx, judgedBy), payload);
        if (judged.decision === "deny") throw new ApiError("policy_denied", judged.reasons.join(" "));
        if (judged.decision !== decision) throw changed(wallet);
        await reserveCap(tx, { wallet, subject: id, valueUsd: judged.valueUsd });
        if (authorized) {
          const { network } = authorized.chain;
          const owner = { type: "signature", id } as const;
          await reserveFunds(tx, { wallet, network, owner, spends: [authorized.spend], balances });
        }
        const display = displayOf(payload, judged.summary);
        const approvalId = signature
          ? null
          : await askForApproval(tx, signatureExecution, {
              caller,
              wallet,
              id,
              judged,
              payload: approvalPayload({ walletId: wallet.id, payloadHash, payload }),
            });
        const { accountId, projectId, endUserId } = wallet;
        await tx.insert(signatures).values({
          accountId,
          projectId,
          endUserId,
          id,
          walletId: wallet.id,
          quoteId,
          kind: payload.kind,
          payload: signature ? null : payload,
          payloadHash,
          display,
          signature,
          approvalId,
          callerType: caller.type === "key" ? "key" : "member",
          callerId: callerUuid(caller) as string,
          status: signature ? "signed" : "awaiting_approval",
          endedAt: signature ? sql`clock_timestamp()` : null,
        });
        if (!signature) reply.status(202);
        return { signature: await announceSignature(tx, { accountId, id }) };
      });
    if (!authorized) return work(null);
    const { chain, spend } = authorized;
    const { address } = wallet;
    return withBalances(db, { kind: "signature", chain, address, spends: [spend], known: undefined }, work);
  },

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

function changed({ id }: WalletRow): ApiError {
  return new ApiError("state_conflict", `The policy of wallet ${id} has just changed. Send the call again.`);
}
