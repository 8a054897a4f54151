import { z } from "zod";
import { swaps } from "#db/schema/swaps.ts";
import { chainNamed } from "#server/chains/call-chain.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { newId, uuidOf } from "#server/ids.ts";
import { initiatorOf } from "#server/members/initiator.ts";
import { selectorsOf } from "#server/operation/access.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { readQuote, takeQuote } from "#server/quotes/queries.ts";
import { PRICE_VERSION, priceOf } from "#server/services/prices.ts";
import { reserveCap } from "#server/wallets/caps.ts";
import { lockSender } from "#server/wallets/enqueue-transaction.ts";
import { askForApproval } from "#server/wallets/executions/execution.ts";
import { type Balances, reserveFunds, withBalances } from "#server/wallets/funds.ts";
import { readFacts } from "#server/wallets/judge.ts";
import { lockWallet, readWallet } from "#server/wallets/queries.ts";
import { swapExecution } from "./execution.ts";
import { judgeSwap } from "./judge-swap.ts";
import { announceSwap, approvalPayload, type SwapPlan, type SwapRow, spendsOfSwap } from "./queries.ts";
import { ExecuteSwap, Swap } from "./schema.ts";
import { senderOf, sendSwap } from "./send-swap.ts";

/** What is held outlives the longest wait for people by this. */
const HOLD_SECONDS = 8 * 86_400;

export const executeSwap = operation({
  id: "swaps.execute",
  method: "POST",
  path: "/swaps",
  summary: "Execute a swap that was quoted",
  description:
    "Executes a quote, exactly once, whatever breaks off. The policy is judged again now; where it asks for an approval, the swap waits for that, is quoted anew and judged once more, and yields at least the approved minimum or fails. Its credits are held now and charged when the chain has taken it.",
  scope: "wallets:transact",
  service: "universal-swaps",
  metered: true,
  stepUp: true,
  idempotent: true,
  movesMoney: true,
  external: "reads",
  body: ExecuteSwap,
  output: z.object({ swap: Swap }),
  status: 202,
  errors: [
    "not_found",
    "quote_expired",
    "state_conflict",
    "policy_denied",
    "insufficient_credits",
    "service_unavailable",
  ],

  async handler({ body: { quoteId }, caller, request, db, commit }) {
    const wanted = { caller, quoteId, kind: "swap" } as const;
    const quote = await readQuote(db, wanted);
    const plan = quote.plan as SwapPlan;
    const { network } = plan.from;
    const chain = chainNamed(network, "body.quoteId");
    const wallet = await readWallet(db, caller, quote.walletId);
    const { address } = wallet;
    const spends = spendsOfSwap(plan);
    const carryOut = (balances: Balances) =>
      commit(async (tx) => {
        const id = newId("swap");
        await takeQuote(tx, { ...wanted, usedBy: id });
        await lockWallet(tx, wallet);
        const judged = judgeSwap(await readFacts(tx, { wallet, network }), wallet, plan);
        const { decision, reasons, valueUsd } = judged;
        if (decision === "deny") throw new ApiError("policy_denied", reasons.join(" "));
        if (decision === "allow") await lockSender(tx, senderOf(wallet, plan));
        await reserveCap(tx, { wallet, subject: id, valueUsd });
        await reserveFunds(tx, { wallet, network, owner: { type: "swap", id }, spends, balances });
        const { credits } = priceOf("universal-swaps", "swaps.execute");
        const { accountId, projectId, endUserId } = wallet;
        const [swap] = (await tx
          .insert(swaps)
          .values({
            accountId,
            projectId,
            endUserId,
            id,
            quoteId,
            walletId: wallet.id,
            from: plan.from,
            to: plan.to,
            fees: plan.fees,
            ...(decision === "approval"
              ? {
                  status: "awaiting_approval",
                  approvalId: await askForApproval(tx, swapExecution, {
                    caller,
                    wallet,
                    id,
                    judged,
                    payload: approvalPayload({ walletId: wallet.id, from: plan.from, to: plan.to }),
                  }),
                }
              : { status: "pending" }),
            ...initiatorOf(caller),
            requestId: request.id,
            heldCredits: credits,
          })
          .returning()) as [SwapRow];
        if (decision === "allow") await sendSwap(tx, { swap, wallet, plan });
        const shown = await announceSwap(tx, swap);
        // The account's book comes last: it stays locked until the commit.
        await holdCredits(
          tx,
          uuidOf("swap", id) as string,
          {
            caller,
            credits,
            selectors: selectorsOf(executeSwap, {}),
            requestId: request.id,
            description: "Swap",
            priceVersion: PRICE_VERSION,
          },
          HOLD_SECONDS,
        );
        return { swap: shown };
      });
    const output = await withBalances(
      db,
      { kind: "swap", chain, address, spends, known: plan.balances },
      carryOut,
    );
    platform().wakeUps.send("transactions");
    return output;
  },
});
