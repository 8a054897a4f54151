import type { Address, Hex } from "viem";
import { z } from "zod";
import type { Transaction as DbTransaction } from "#db/client.ts";
import { requestApproval } from "#server/approvals/queries.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import type { Charge } from "#server/credits/charge.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { newId, uuidOf } from "#server/ids.ts";
import { selectorsOf } from "#server/operation/access.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { callerUuid } from "#server/operation/recorder.ts";
import { platform } from "#server/platform.ts";
import { readQuote, takeQuote } from "#server/quotes/queries.ts";
import { PRICE_VERSION, priceOf } from "#server/services/prices.ts";
import { reserveCap } from "../caps.ts";
import { decodeCall } from "../effects.ts";
import { judge } from "../judge.ts";
import { enqueueOutgoing } from "../outgoing.ts";
import { readWallet, type WalletRow } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { toTransaction } from "./move-transaction.ts";
import { CreateTransaction, Transaction } from "./schema.ts";

/** What is held outlives the longest wait for people by this. */
const HOLD_SECONDS = 8 * 86_400;

/** What a quote of a send keeps for its execution. */
interface Plan extends Record<string, unknown> {
  network: string;
  to: Address;
  asset: string;
  amount: string;
  data?: Hex;
  call: { to: Address; value: string; data: Hex; gas: string };
}

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
  external: true,
  params: WalletParams,
  body: CreateTransaction,
  output: z.object({ transaction: Transaction }),
  status: 202,
  errors: [
    "not_found",
    "quote_expired",
    "policy_denied",
    "already_exists",
    "insufficient_credits",
    "service_unavailable",
  ],

  async handler({ params, body, caller, request, db, commit }) {
    const wanted = { caller, quoteId: body.quoteId, kind: "transaction", walletId: params.walletId } as const;
    const wallet = await readWallet(db, caller, params.walletId);
    const plan = (await readQuote(db, wanted)).plan as Plan;
    const chain = chainNamed(plan.network, "body.quoteId");
    const call = { ...plan.call, value: BigInt(plan.call.value), gas: BigInt(plan.call.gas) };
    const { effects } = decodeCall({ chain, from: wallet.address, ...call });
    const judged = await judge(db, { wallet, network: chain.network, effects });
    if (judged.decision === "deny") throw new ApiError("policy_denied", judged.reasons.join(" "));
    const id = newId("transaction");
    const { credits } = priceOf("managed-wallets", "wallets.transactions.create");
    const charge: Charge = {
      ...{ caller, credits, selectors: selectorsOf(createTransaction, {}), requestId: request.id },
      ...{ description: "Wallet transaction", priceVersion: PRICE_VERSION },
    };
    const output = await commit(async (tx) => {
      const approvalId =
        judged.decision === "approval"
          ? await askFor(tx, { wallet, id, summary: judged.summary, plan, caller })
          : null;
      // Sent together: locks are held for few round trips.
      const [, , row] = await inOrder([
        takeQuote(tx, { ...wanted, usedBy: id }),
        reserveCap(tx, { wallet, subject: id, valueUsd: judged.valueUsd }),
        enqueueOutgoing(tx, {
          ...{
            id,
            wallet,
            chain,
            call,
            quoteId: body.quoteId,
            clientReference: body.clientReference ?? null,
          },
          ...{ to: plan.to, asset: plan.asset, amount: plan.amount, data: plan.data ?? null },
          ...{ approvalId, heldCredits: credits, requestId: request.id },
          callerType: caller.type === "key" ? "key" : "member",
          callerId: callerUuid(caller),
          keyIds: caller.type === "key" ? [...caller.chain] : [],
        }),
      ]);
      // Last, since all calls of the account wait for its book.
      await holdCredits(tx, uuidOf("transaction", id) as string, charge, HOLD_SECONDS);
      return { transaction: toTransaction(row, wallet.endUser) };
    });
    platform().hints.send("transactions");
    return output;
  },
});

/** The results of what was sent together; where several are refused, the first one tells why. */
async function inOrder<Results extends unknown[]>(
  sent: {
    [Nth in keyof Results]: Promise<Results[Nth]>;
  },
): Promise<Results> {
  await Promise.allSettled(sent);
  for (const one of sent) await one;
  return Promise.all(sent) as Promise<Results>;
}

/** What people approve: exactly this, of this transaction. */
export function approvalPayload({ walletId, network, to, asset, amount, data }: Approvable) {
  return { walletId, network, to, asset, amount, data };
}

interface Approvable {
  walletId: string;
  network: string;
  to: string;
  asset: string;
  amount: string;
  data: string | null;
}

async function askFor(
  tx: DbTransaction,
  {
    wallet,
    id,
    summary,
    plan,
    caller,
  }: { wallet: WalletRow; id: string; summary: string; plan: Plan; caller: Caller },
): Promise<string> {
  const { approval } = wallet.policy;
  const asked = await requestApproval(tx, {
    ...{ caller, kind: "transaction", serviceId: "managed-wallets", summary },
    subject: { operationId: "transactions.create", id },
    payload: approvalPayload({ ...plan, walletId: wallet.id, data: plan.data ?? null }),
    requiredApprovals: approval.requiredApprovals,
    initiatorMayApprove: approval.initiatorMayApprove,
    approvers: approval.approvers,
    expiresInSeconds: approval.expiresInSeconds,
  });
  return asked.id;
}
