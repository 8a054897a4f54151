import { wordsOf } from "#components/table/list.ts";
import { exactTime } from "#components/ui/time-words.ts";
import type { Approval as WireApproval } from "#server/approvals/schema.ts";
import { APPROVAL_KINDS } from "#server/approvals/statuses.ts";
import type { approvalPayload } from "#server/wallets/transactions/execution.ts";

/** An approval as it arrives: what may be anything may be nothing. */
export type Approval = Omit<WireApproval, "payload"> & { payload?: unknown };

export const kinds = wordsOf(APPROVAL_KINDS, { workflow_step: "Step of a run" });

/** The kind as words on the screen. */
export function kindName(kind: Approval["kind"]): string {
  return kinds.find(({ value }) => value === kind)?.label ?? kind;
}

/** Why somebody has to decide. */
export function whyNeeded({ kind, subject }: Approval): string {
  if (kind === "service_action")
    return `${subject.serviceId} ${subject.operationId} does nothing unless exactly its input was approved.`;
  if (subject.serviceId === "managed-agents")
    return "The agent may look at things, and asks before it changes any.";
  if (kind === "workflow_step") return "The workflow has a step that people decide.";
  return "The wallet’s policy wants this approved.";
}

/** Whether a wallet’s policy asks for it, which then gives the reason. */
export function byPolicy({ kind }: Approval): boolean {
  return kind !== "service_action" && kind !== "workflow_step";
}

/** The wallet that pays or signs; null where none does. */
export function payingWalletOf({ payload }: Approval): string | null {
  const { walletId } = (payload ?? {}) as { walletId?: unknown };
  return typeof walletId === "string" ? walletId : null;
}

/** What a transaction would move; null for what is none. */
export function paymentOf({ kind, payload }: Approval) {
  if (kind !== "transaction") return null;
  return (payload ?? null) as ReturnType<typeof approvalPayload> | null;
}

/** Whether approvals ask for the same thing to be done, so that one sentence says what a decision does to each. */
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

/** How many have to approve, and who may. */
export function whoDecides({ approvers, initiatorMayApprove, requiredApprovals }: Approval): string {
  const needed =
    requiredApprovals === 1 ? "1 approval" : `${requiredApprovals} approvals by different approvers`;
  const who = approvers ? "One of those listed below" : "Any member who holds approvals:write";
  return `${needed}. ${who} may decide${initiatorMayApprove ? "" : ", but not who asked"}.`;
}

/** `1 of 2`. */
export function progressOf({ decisions, requiredApprovals }: Approval): string {
  const given = decisions.filter(({ decision }) => decision === "approve").length;
  return `${given} of ${requiredApprovals}`;
}

/** Exactly what happens when the person who looks at it approves. */
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

/** Exactly what happens when the person who looks at it rejects. */
export function whatRejectingDoes({ kind }: Approval): string {
  const end = kind === "workflow_step" ? "The run that waits for it fails." : "It is not done.";
  return `${end} One rejection ends the approval, however many have approved; to do it after all, somebody has to ask again.`;
}
