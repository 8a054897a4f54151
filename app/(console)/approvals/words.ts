import { wordsOf } from "#components/table/list.ts";
import { exactTime } from "#components/ui/time-words.ts";
import type { Approval as WireApproval } from "#server/approvals/schema.ts";
import { APPROVAL_KINDS } from "#server/approvals/statuses.ts";
import type { approvalPayload } from "#server/wallets/transactions/send-execution.ts";

/** An approval as it arrives: its payload may be absent. */
export type Approval = Omit<WireApproval, "payload"> & { payload?: unknown };

export const kinds = wordsOf(APPROVAL_KINDS, { workflow_step: "Step of a run" });

/** Returns the kind in words. */
export function kindName(kind: Approval["kind"]): string {
  return kinds.find(({ value }) => value === kind)?.label ?? kind;
}

/** Returns the reason why somebody has to decide. */
export function whyNeeded({ kind, subject }: Approval): string {
  if (kind === "service_action")
    return `${subject.serviceId} ${subject.operationId} does nothing unless exactly its input was approved.`;
  if (subject.serviceId === "managed-agents")
    return "The agent may read, and asks before it changes anything.";
  if (kind === "workflow_step") return "The workflow has a step that people decide.";
  return "The wallet’s policy wants this approved.";
}

/** True if a wallet's policy requires the approval, and so gives the reason. */
export function byPolicy({ kind }: Approval): boolean {
  return kind !== "service_action" && kind !== "workflow_step";
}

/** Returns the wallet that pays or signs; null if none does. */
export function payingWalletOf({ payload }: Approval): string | null {
  const { walletId } = (payload ?? {}) as { walletId?: unknown };
  return typeof walletId === "string" ? walletId : null;
}

/** Returns the payment of a transaction; null for other kinds. */
export function paymentOf({ kind, payload }: Approval) {
  if (kind !== "transaction") return null;
  return (payload ?? null) as ReturnType<typeof approvalPayload> | null;
}

/** True if all approvals request the same action, so that one sentence describes the effect of deciding each. */
export function areAlike(approvals: readonly Approval[]): boolean {
  const what = ({ kind, subject, requestedBy, requiredApprovals, decisions }: Approval) =>
    [
      kind,
      subject.serviceId,
      subject.operationId,
      requestedBy.label,
      requiredApprovals,
      decisions.length,
    ].join();
  return new Set(approvals.map(what)).size <= 1;
}

/** Returns how many people have to approve, and who may. */
export function whoDecides({ approvers, initiatorMayApprove, requiredApprovals }: Approval): string {
  const needed =
    requiredApprovals === 1 ? "1 approval" : `${requiredApprovals} approvals by different approvers`;
  const who = approvers ? "One of those listed below" : "Any member who holds approvals:write";
  return `${needed}. ${who} may decide${initiatorMayApprove ? "" : ", but not who asked"}.`;
}

/** Returns why the member may not decide the approval, whatever its state; null if nothing is known against it. */
export function barredFrom(
  { approvers, initiatorMayApprove, requestedBy }: Approval,
  memberId: string,
): string | null {
  if (approvers && !approvers.includes(memberId)) return "Only the approvers listed below may decide it.";
  if (!initiatorMayApprove && requestedBy.id === memberId)
    return "You asked for it, so somebody else has to decide it.";
  return null;
}

/** `1 of 2`. */
export function progressOf({ decisions, requiredApprovals }: Approval): string {
  const given = decisions.filter(({ decision }) => decision === "approve").length;
  return `${given} of ${requiredApprovals}`;
}

/** Returns the exact consequences of the viewer's approval. */
export function whatApprovingDoes(approval: Approval): string {
  const { kind, subject, requestedBy, decisions, requiredApprovals, expiresAt } = approval;
  const missing = requiredApprovals - decisions.length - 1;
  if (missing > 0)
    return `Yours is approval ${decisions.length + 1} of ${requiredApprovals}. Nothing is done before ${missing} more ${missing === 1 ? "is" : "are"} given.`;
  if (kind === "service_action")
    return `“${requestedBy.label}”, or another key with the same reach, may call ${subject.serviceId} ${subject.operationId} once with exactly this input, until ${exactTime(expiresAt)}.`;
  if (kind === "workflow_step") return "The run that waits for it goes on at once.";
  return "It is carried out at once.";
}

/** Returns the exact consequences of the viewer's rejection. */
export function whatRejectingDoes({ kind }: Approval): string {
  const end = kind === "workflow_step" ? "The run that waits for it fails." : "It is not done.";
  return `${end} One rejection ends the approval, however many have approved; to do it after all, somebody has to ask again.`;
}
