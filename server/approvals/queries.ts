import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { approvals } from "#db/schema/approvals.ts";
import { canonicalJson } from "#server/base/canonical-json.ts";
import { newId } from "#server/base/ids.ts";
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

/** The target of an approval: the operation, and the resource that waits for the decision, if there is one. */
interface Subject {
  operationId: string;
  id?: string | null;
}

/** Returns the SHA-256 of a payload in RFC 8785 form. */
function payloadHashOf(payload: unknown): Uint8Array {
  return new Uint8Array(createHash("sha256").update(canonicalJson(payload)).digest());
}

/** Requests an approval, in the transaction that stores its subject. */
export async function requestApproval(
  tx: Transaction,
  request: {
    caller: Caller;
    /** Its project and end user; by default the caller's. */
    assignment?: { projectId: string | null; endUserId: string | null };
    kind: ApprovalView["kind"];
    serviceId: string;
    subject: Subject;
    /** A sentence by which a person can decide; no secrets. */
    summary: string;
    /**
     * The sentence without anything of a request's body, if `summary` may quote one. It is stored instead where the
     * privacy tier keeps no bodies: the summary stays after the payload is deleted.
     */
    bareSummary?: string;
    /** The exact content that is approved, as JSON. */
    payload: unknown;
    reason?: string | null | undefined;
    requiredApprovals?: number;
    initiatorMayApprove: boolean;
    /** The ids of the members and keys that may decide; null for everyone with the scope. */
    approvers?: readonly string[] | null;
    expiresInSeconds?: number;
    /** The run that waits for the approval. */
    runId?: string | null;
  },
): Promise<ApprovalView> {
  const { caller, subject, approvers, expiresInSeconds = APPROVAL_LIMITS.defaultSeconds } = request;
  const approvalId = newId("approval");
  const keepPayload = caller.privacyTier === "standard";
  await tx.insert(approvals).values({
    ...(await assignmentOf(tx, caller)),
    ...request.assignment,
    ...(await principalOf(tx, caller)),
    id: approvalId,
    kind: request.kind,
    serviceId: request.serviceId,
    operationId: subject.operationId,
    resource: subject.id ?? null,
    summary: keepPayload ? request.summary : (request.bareSummary ?? request.summary),
    reason: request.reason ?? null,
    ...(caller.privacyTier === "strict"
      ? { sealedPayload: toStored(sealedFor(approvalId), "payload", request.payload) }
      : { payload: sql`${JSON.stringify(request.payload)}::jsonb` }),
    keepPayload,
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

/** The use of an approval for an action that is about to happen. */
export interface ApprovalUse {
  approvalId: string;
  kind: ApprovalView["kind"];
  serviceId: string;
  subject: Subject;
  payload: unknown;
}

/**
 * Returns the use of an approval by a call of a service's operation; null if the operation needs none. Refuses a call
 * without a required approval, and with an unnecessary one.
 */
export function approvalOf(
  { id, requiresApproval }: Capability,
  call: { serviceId: string; input: unknown; approvalId: string | undefined },
): ApprovalUse | null {
  const { serviceId, input, approvalId } = call;
  if (requiresApproval) return serviceActionUse({ serviceId, operationId: id, input, approvalId });
  if (approvalId !== undefined) throw unneeded("body.approvalId", `${serviceId} ${id}`);
  return null;
}

/** Returns the error for an approval of an action that needs none. */
export function unneeded(path: string, action: string): ApiError {
  return invalid(path, `${action} needs no approval. Leave it out.`);
}

/** Returns the use of an approved service action, for operations that need one in some states. */
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
 * Consumes an approval in the effect's own transaction: its row stays locked until that ends, so that the second of two
 * effects finds it consumed. Refuses an approval of anything else.
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

/** Cancels an undecided approval whose run or resource has ended without it. */
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

/** Makes a consumed approval usable again, if its effect certainly has not happened. */
export async function restoreApproval(
  tx: Transaction,
  { accountId, approvalId }: { accountId: string; approvalId: string },
): Promise<void> {
  await tx
    .update(approvals)
    .set({ status: "approved", consumedAt: null })
    .where(and(eq(approvals.accountId, accountId), withId(approvalId), eq(approvals.status, "consumed")));
}

/** Returns the approval in its current state; null if the caller does not see it. */
export async function readApproval(
  db: Db | Transaction,
  { caller, approvalId }: { caller: Caller; approvalId: string },
): Promise<ApprovalView | null> {
  const rows = await selectApprovals(db).where(and(visible(approvals, caller), withId(approvalId)));
  return (await toApprovals(db, rows))[0] ?? null;
}
