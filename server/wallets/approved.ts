import { and, eq } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { approvals } from "#db/schema/approvals.ts";
import { type ApprovalUse, consumeApproval } from "#server/approvals/queries.ts";
import { type Initiated, readInitiator } from "#server/members/initiator.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { reserveCap } from "./caps.ts";
import { lockSender, type Sender } from "./enqueue-transaction.ts";
import type { Judgement } from "./judge.ts";
import { lockWallet, type WalletRow } from "./queries.ts";

/** Why something comes to nothing. */
export interface Failure {
  code: string;
  message: string;
}

/** What people have decided, and whether whoever asked may still go on. */
type Decided =
  | { type: "waiting" }
  | { type: "rejected" }
  | { type: "expired" }
  | { type: "failed"; failure: Failure }
  | { type: "approved"; caller: Caller };

/** Reads what has been decided on a thing that awaits its approval, and whether who began it still has the scope. */
export async function readDecision(
  db: Db | Transaction,
  thing: Initiated & { approvalId: string | null },
  scope: Scope,
): Promise<Decided> {
  const [approval] = await db
    .select({ status: approvals.status })
    .from(approvals)
    .where(and(eq(approvals.accountId, thing.accountId), eq(approvals.id, thing.approvalId as string)));
  if (approval?.status === "rejected" || approval?.status === "expired") return { type: approval.status };
  if (approval?.status !== "approved") return { type: "waiting" };
  const { caller, refusal } = await readInitiator(db, thing, scope);
  if (caller) return { type: "approved", caller };
  const message = `Who asked for it may not do so any more (${refusal}).`;
  return { type: "failed", failure: { code: refusal, message } };
}

/**
 * Uses up the approval of a locked thing that is judged once more, by the policy as it stands until the transaction ends,
 * and takes its cap anew. Returns why the thing fails instead; then nothing was used up.
 */
export async function useApproval(
  tx: Transaction,
  about: {
    wallet: Pick<WalletRow, "accountId" | "id">;
    /** Wire id of the thing. */
    subject: string;
    /** Where the thing is sent at once. */
    lane?: Sender;
    judge(): Promise<Pick<Judgement, "decision" | "reasons" | "valueUsd">>;
    use: ApprovalUse & { caller: Caller };
  },
): Promise<Failure | null> {
  const { wallet, subject, lane, use } = about;
  await lockWallet(tx, wallet);
  const { decision, reasons, valueUsd } = await about.judge();
  if (decision === "deny") return { code: "policy_denied", message: reasons.join(" ") };
  if (lane) await lockSender(tx, lane);
  try {
    await reserveCap(tx, { wallet, subject, valueUsd });
  } catch (reason) {
    if (reason instanceof ApiError) return { code: reason.code, message: reason.message };
    throw reason;
  }
  await consumeApproval(tx, use);
  return null;
}
