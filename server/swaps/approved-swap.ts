import type { Address } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { consumeApproval, readApproval } from "#server/approvals/queries.ts";
import { fromUnits, toUnits } from "#server/chains/amounts.ts";
import { readInitiator } from "#server/members/initiator.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { reserveCap } from "#server/wallets/caps.ts";
import { readWallet, type WalletRow } from "#server/wallets/queries.ts";
import { judgeSwap } from "./judge-swap.ts";
import { lockSwap, moveSwap } from "./move-swap.ts";
import { planSwap } from "./plan-swap.ts";
import { approvalPayload, type SwapPlan, type SwapRow } from "./queries.ts";
import { sendSwap } from "./send-swap.ts";

type Failure = NonNullable<SwapRow["failure"]>;

/**
 * Goes on with a swap whose approval was decided or has expired. Approved, it is quoted anew and judged once more:
 * whoever asked must still be allowed to, and what was approved as the minimum stands, or the swap fails.
 */
export async function goOnApproved(db: Db, swap: SwapRow): Promise<void> {
  const { caller, failure } = await initiatorOf(db, swap);
  if (!caller) return fail(db, swap, failure);
  const approval = await readApproval(db, { caller, approvalId: swap.approvalId as string });
  if (approval?.status === "rejected" || approval?.status === "expired")
    return fail(db, swap, {
      code: `approval_${approval.status}`,
      message: approval.status === "rejected" ? "It was not approved." : "Nobody approved it in time.",
    });
  if (approval?.status !== "approved") return;
  const wallet = await readWallet(db, caller, swap.walletId);
  const planned = await planAnew(db, swap, wallet.address);
  if ("failure" in planned) return fail(db, swap, planned.failure);
  await db.transaction((tx) => settle(tx, swap, { wallet, plan: planned.plan }));
  platform().hints.send("transactions");
}

async function initiatorOf(db: Db | Transaction, swap: SwapRow) {
  const { caller, refusal } = await readInitiator(db, swap, "wallets:transact");
  const message = `Who asked for it may not send any more (${refusal}).`;
  return { caller, failure: { code: refusal ?? "unauthenticated", message } };
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
      ...{ wish: { from, to }, sender: address, recipient: address, minimumOf },
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
  const { caller, failure } = await initiatorOf(tx, swap);
  if (!caller) return moveSwap(tx, swap, "failed", { failure });
  const denied = await judgeAgain(tx, { swap, wallet, plan });
  if (denied) return moveSwap(tx, swap, "failed", { failure: denied });
  await useApproval(tx, swap, caller);
  await sendSwap(tx, { swap, wallet, plan });
  await moveSwap(tx, swap, "pending");
}

async function judgeAgain(
  tx: Transaction,
  { swap, wallet, plan }: { swap: SwapRow; wallet: WalletRow; plan: SwapPlan },
): Promise<Failure | null> {
  const { decision, reasons, valueUsd } = await judgeSwap(tx, { wallet, plan, subject: swap.id });
  if (decision === "deny") return { code: "policy_denied", message: reasons.join(" ") };
  try {
    await reserveCap(tx, { wallet, subject: swap.id, valueUsd });
    return null;
  } catch (reason) {
    if (reason instanceof ApiError) return { code: reason.code, message: reason.message };
    throw reason;
  }
}

async function useApproval(tx: Transaction, swap: SwapRow, caller: Caller): Promise<void> {
  await consumeApproval(tx, {
    ...{ caller, approvalId: swap.approvalId as string, kind: "swap", serviceId: "universal-swaps" },
    subject: { operationId: "swaps.execute", id: swap.id },
    payload: approvalPayload(swap),
  });
}

function fail(db: Db, before: SwapRow, failure: Failure): Promise<void> {
  return db.transaction(async (tx) => {
    const swap = await lockSwap(tx, before);
    if (swap) await moveSwap(tx, swap, "failed", { failure });
  });
}
