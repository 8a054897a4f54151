import { swaps } from "#db/schema/swaps.ts";
import { fromUnits, toUnits } from "#server/chains/amounts.ts";
import type { ExecutionKind } from "#server/wallets/executions/kind.ts";
import { judgeSwap } from "./judge-swap.ts";
import { moveSwap } from "./move-swap.ts";
import { planSwap } from "./plan-swap.ts";
import { approvalPayload, type SwapRow } from "./queries.ts";
import { senderOf, sendSwap } from "./send-swap.ts";

const NOT_APPROVED = {
  rejected: { code: "approval_rejected", message: "It was not approved." },
  expired: { code: "approval_expired", message: "Nobody approved it in time." },
};

export const swapExecution: ExecutionKind<SwapRow> = {
  kind: "swap",
  serviceId: "universal-swaps",
  scope: "wallets:transact",
  approvedOperation: "swaps.execute",
  table: swaps,

  /** As it would be made now, at no less than was approved. */
  async renew(db, row, wallet) {
    const { from, to } = row;
    const { address } = wallet;
    const approved = toUnits(to.minimum, to.decimals);
    const minimumOf = () => approved;
    const wanted = { wish: { from, to }, sender: address, recipient: address, minimumOf };
    const { trade, plan } = await planSwap(db, wanted);
    if (trade.expected < approved) {
      const now = fromUnits(trade.expected, to.decimals);
      const message = `It would yield ${now} now, less than the approved minimum of ${to.minimum}.`;
      return { failure: { code: "minimum_not_met", message } };
    }
    return {
      network: from.network,
      judge: (facts) => judgeSwap(facts, wallet, plan),
      approvalPayload: approvalPayload(row),
      sender: senderOf(wallet, plan),
      async carryOut(tx, swap) {
        await sendSwap(tx, { swap, wallet, plan });
        await moveSwap(tx, swap, "pending");
      },
    };
  },

  end: (tx, row, end) =>
    moveSwap(tx, row, "failed", { failure: end.type === "failed" ? end.failure : NOT_APPROVED[end.type] }),
};
