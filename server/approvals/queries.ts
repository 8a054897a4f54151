import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { approvals } from "#db/schema/approvals.ts";
import { canonicalJson } from "#server/canonical-json.ts";
import { newId } from "#server/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { toStored } from "#server/operation/payload.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { assignedAs, assignmentOf, visible } from "#server/operation/tenancy.ts";
import { runningPlatform } from "#server/platform.ts";
import type { Capability } from "#server/services/service.ts";
import { emitApprovalEvent } from "./approval-events.ts";
import { mailApprovalsJob } from "./mail-approvals.ts";
import { principalOf } from "./principals.ts";
import {
  type ApprovalView,
  lockApproval,
  sealedFor,
  selectApprovals,
  settledPayload,
  toApprovals,
  withId,
} from "./rows.ts";
import { APPROVAL_LIMITS } from "./schema.ts";

/** What an approval is for: the operation, and the thing that waits for the decision, where there is one. */
interface Subject {
  operationId: string;
  id?: string | null;
}

/** SHA-256 over the RFC 8785 form of what is approved. */
function payloadHashOf(payload: unknown): Uint8Array {
  return new Uint8Array(createHash("sha256").update(canonicalJson(payload)).digest());
}

/** Asks for an approval, in the transaction of what will wait for it. */
export async function requestApproval(
  tx: Transaction,
  request: {
    caller: Caller;
    /** What it is assigned to: by default what the caller is. */
    assignment?: { projectId: string | null; endUserId: string | null };
    kind: ApprovalView["kind"];
    serviceId: string;
    subject: Subject;
    /** A sentence that a person can judge; no secrets. */
    summary: string;
    /** What exactly is approved: JSON. */
    payload: unknown;
    reason?: string | null | undefined;
    requiredApprovals?: number;
    initiatorMayApprove: boolean;
    /** Ids of the members and keys that may decide; null for everyone who has the scope. */
    approvers?: readonly string[] | null;
    expiresInSeconds?: number;
    /** The run that waits for it. */
    runId?: string | null;
  },
): Promise<ApprovalView> {
  const { caller, subject, approvers, expiresInSeconds = APPROVAL_LIMITS.defaultSeconds } = request;
  const approvalId = newId("approval");
  await tx.insert(approvals).values({
    ...(await assignmentOf(tx, caller)),
    ...request.assignment,
    ...(await principalOf(tx, caller)),
    id: approvalId,
    kind: request.kind,
    serviceId: request.serviceId,
    operationId: subject.operationId,
    resource: subject.id ?? null,
    summary: request.summary,
    reason: request.reason ?? null,
    ...(caller.privacyTier === "strict"
      ? { sealedPayload: toStored(sealedFor(approvalId), "payload", request.payload) }
      : { payload: sql`${JSON.stringify(request.payload)}::jsonb` }),
    keepPayload: caller.privacyTier === "standard",
    payloadHash: payloadHashOf(request.payload),
    requiredApprovals: request.requiredApprovals ?? 1,
    initiatorMayApprove: request.initiatorMayApprove,
    approvers: approvers ? [...approvers] : null,
    runId: request.runId ?? null,
    status: "pending",
    expiresAt: sql`clock_timestamp() + ${expiresInSeconds} * interval '1 second'`,
  });
  const { accountId } = caller;
  if (runningPlatform()?.mailer) await enqueueJob(tx, mailApprovalsJob({ accountId }));
  return emitApprovalEvent(tx, { accountId, id: approvalId }, "approval.requested");
}

/** An approval that something is about to use. */
export interface ApprovalUse {
  approvalId: string;
  kind: ApprovalView["kind"];
  serviceId: string;
  subject: Subject;
  payload: unknown;
}

/**
 * The approval that a call of a service's operation uses; null where it needs none. Refuses a call without the one it
 * needs, and with one that it does not.
 */
export function approvalOf(
  { id, requiresApproval }: Capability,
  call: { serviceId: string; input: unknown; approvalId: string | undefined },
): ApprovalUse | null {
  const { serviceId, input, approvalId } = call;
  if (requiresApproval) return serviceActionUse({ serviceId, operationId: id, input, approvalId });
  if (approvalId === undefined) return null;
  throw invalid("body.approvalId", `${serviceId} ${id} needs no approval. Leave it out.`);
}

/** The use of an approved service action, for what needs one by its state. */
export function serviceActionUse(action: {
  serviceId: string;
  operationId: string;
  input: unknown;
  approvalId: string | undefined;
}): ApprovalUse {
  const { approvalId, ...payload } = action;
  const { serviceId, operationId } = action;
  if (approvalId === undefined) throw required(`${serviceId} ${operationId} needs an approval.`);
  return { approvalId, kind: "service_action", serviceId, subject: { operationId }, payload };
}

function required(fault: string): ApiError {
  return new ApiError(
    "approval_required",
    `${fault} Have exactly this approved: POST /v1/approvals/service-actions.`,
  );
}

/**
 * Uses an approval up, in the effect's own transaction: its row stays locked until that ends, so that of two effects
 * the second finds it consumed. Refuses what is no approval of exactly this.
 */
export async function consumeApproval(tx: Transaction, use: ApprovalUse & { caller: Caller }): Promise<void> {
  const { approvalId, caller, kind, serviceId, subject } = use;
  const wanted = `${serviceId} ${subject.operationId}`;
  // Approved for one project or end user, it says nothing about another's.
  const mine = allOf(assignedAs(approvals, caller), withId(approvalId));
  const approval = await lockApproval(tx, mine);
  if (!approval) throw required(`There is no approval ${approvalId}.`);
  const { status } = approval;
  if (status !== "pending" && status !== "approved")
    throw new ApiError("state_conflict", `Approval ${approvalId} is ${status}. Ask for another one.`);
  const same =
    approval.kind === kind &&
    approval.serviceId === serviceId &&
    approval.operationId === subject.operationId &&
    approval.resource === (subject.id ?? null) &&
    Buffer.from(approval.payloadHash).equals(payloadHashOf(use.payload));
  if (!same) throw required(`Approval ${approvalId} is not for ${wanted} with this input.`);
  if (status === "pending")
    throw new ApiError(
      "approval_required",
      `Approval ${approvalId} is pending. Have it decided: POST /v1/approvals/${approvalId}.`,
    );
  await tx
    .update(approvals)
    .set({ status: "consumed", consumedAt: sql`clock_timestamp()`, ...settledPayload })
    .where(mine);
  publishChange(tx, caller.accountId, "approvals");
}

/** Cancels an approval that is not decided yet, where what waited for it has ended without it. */
export async function cancelApproval(
  tx: Transaction,
  { accountId, approvalId }: { accountId: string; approvalId: string },
): Promise<void> {
  await tx
    .update(approvals)
    .set({ status: "cancelled", ...settledPayload })
    .where(and(eq(approvals.accountId, accountId), withId(approvalId), eq(approvals.status, "pending")));
  publishChange(tx, accountId, "approvals");
}

/** Gives an approval back whose effect has certainly not happened. */
export async function restoreApproval(
  tx: Transaction,
  { accountId, approvalId }: { accountId: string; approvalId: string },
): Promise<void> {
  await tx
    .update(approvals)
    .set({ status: "approved", consumedAt: null })
    .where(and(eq(approvals.accountId, accountId), withId(approvalId), eq(approvals.status, "consumed")));
}

/** The approval as it is for the caller now; null where there is none for them. */
export async function readApproval(
  db: Db | Transaction,
  { caller, approvalId }: { caller: Caller; approvalId: string },
): Promise<ApprovalView | null> {
  const rows = await selectApprovals(db).where(and(visible(approvals, caller), withId(approvalId)));
  return (await toApprovals(db, rows))[0] ?? null;
}
