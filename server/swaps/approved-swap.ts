import type { Address } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { fromUnits, toUnits } from "#server/chains/amounts.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { type Failure, readDecision, useApproval } from "#server/wallets/approved.ts";
import { readWallet, type WalletRow } from "#server/wallets/queries.ts";
import { judgeSwap } from "./judge-swap.ts";
import { lockSwap, moveSwap } from "./move-swap.ts";
import { planSwap } from "./plan-swap.ts";
import { approvalPayload, type SwapPlan, type SwapRow } from "./queries.ts";
import { senderOf, sendSwap } from "./send-swap.ts";

type Ended = Exclude<Awaited<ReturnType<typeof readDecision>>, { type: "waiting" | "approved" }>;

/**
 * Goes on with a swap whose approval was decided or has expired. Approved, it is quoted anew and judged once more:
 * whoever asked must still be allowed to, and what was approved as the minimum stands, or the swap fails.
 */
export async function goOnApproved(db: Db, swap: SwapRow): Promise<void> {
  const decided = await readDecision(db, swap, "wallets:transact");
  if (decided.type === "waiting") return;
  if (decided.type !== "approved") return fail(db, swap, failureOf(decided));
  const wallet = await readWallet(db, decided.caller, swap.walletId);
  const planned = await planAnew(db, swap, wallet.address);
  if ("failure" in planned) return fail(db, swap, planned.failure);
  await db.transaction((tx) => settle(tx, swap, { wallet, plan: planned.plan }));
  platform().wakeUps.send("transactions");
}

function failureOf(decided: Ended): Failure {
  if (decided.type === "failed") return decided.failure;
  const message = decided.type === "rejected" ? "It was not approved." : "Nobody approved it in time.";
  return { code: `approval_${decided.type}`, message };
}

/** The swap as it would be made now, at no less than was approved. */
async function planAnew(
  db: Db,
  { from, to }: SwapRow,
  address: Address,
): Promise<{ plan: SwapPlan } | { failure: Failure }> {
  const approved = toUnits(to.minimum, to.decimals);
  try {
    const minimumOf = () => approved;
    const { trade, plan } = await planSwap(db, {
      wish: { from, to },
      sender: address,
      recipient: address,
      minimumOf,
    });
    if (trade.expected >= approved) return { plan };
    const now = fromUnits(trade.expected, to.decimals);
    const message = `It would yield ${now} now, less than the approved minimum of ${to.minimum}.`;
    return { failure: { code: "minimum_not_met", message } };
  } catch (reason) {
    // What a chain did not answer may be asked again.
    if (!(reason instanceof ApiError) || reason.status >= 500) throw reason;
    return { failure: { code: reason.code, message: reason.message } };
  }
}

/** The database decides once more, under the swap's lock: of two who go on at once, one sends. */
async function settle(
  tx: Transaction,
  before: SwapRow,
  { wallet, plan }: { wallet: WalletRow; plan: SwapPlan },
): Promise<void> {
  const swap = await lockSwap(tx, before);
  if (!swap) return;
  const decided = await readDecision(tx, swap, "wallets:transact");
  if (decided.type === "waiting") return;
  const failure =
    decided.type === "approved"
      ? await goOn(tx, { swap, wallet, plan, caller: decided.caller })
      : failureOf(decided);
  if (failure) return moveSwap(tx, swap, "failed", { failure });
  await sendSwap(tx, { swap, wallet, plan });
  await moveSwap(tx, swap, "pending");
}

function goOn(
  tx: Transaction,
  { swap, wallet, plan, caller }: { swap: SwapRow; wallet: WalletRow; plan: SwapPlan; caller: Caller },
): Promise<Failure | null> {
  return useApproval(tx, {
    wallet,
    subject: swap.id,
    lane: senderOf(wallet, plan),
    judge: () => judgeSwap(tx, { wallet, plan, subject: swap.id }),
    use: {
      caller,
      approvalId: swap.approvalId as string,
      kind: "swap",
      serviceId: "universal-swaps",
      subject: { operationId: "swaps.execute", id: swap.id },
      payload: approvalPayload(swap),
    },
  });
}

function fail(db: Db, before: SwapRow, failure: Failure): Promise<void> {
  return db.transaction(async (tx) => {
    const swap = await lockSwap(tx, before);
    if (swap) await moveSwap(tx, swap, "failed", { failure });
  });
}
