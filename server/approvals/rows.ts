import { and, asc, eq, getTableColumns, inArray, not, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf, anyOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { approvalDecisions, approvals } from "#db/schema/approvals.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { fromStored } from "#server/operation/payload.ts";
import type { Principal } from "./principals.ts";
import type { Approval } from "./schema.ts";

export type ApprovalView = z.input<typeof Approval>;
export type ApprovalStatus = ApprovalView["status"];

/** Returns the condition for this id. A malformed id is treated like one that does not exist. */
export function withId(approvalId: string): SQL {
  return uuidOf("approval", approvalId) === null ? sql`false` : eq(approvals.id, approvalId);
}

/**
 * The condition that an approval can still expire. An approved action that the platform itself continues cannot; an
 * approved service action waits for its caller.
 */
export const isOpen = sql`(${approvals.status} = 'pending' or ${approvals.status} = 'approved' and ${approvals.kind} = 'service_action')`;

/** The condition that an approval has expired, whether or not its row says so yet. */
const isOverdue = sql`(${isOpen} and ${approvals.expiresAt} <= clock_timestamp())`;

/** Returns the condition that an approval has this status now. */
export function hasStatus(status: ApprovalStatus): SQL {
  const written = eq(approvals.status, status);
  return status === "expired" ? anyOf(written, isOverdue) : allOf(written, not(isOverdue));
}

const { status, ...columns } = getTableColumns(approvals);

/** Selects approvals for `toApprovals`, with their current status. */
export function selectApprovals(db: Db | Transaction) {
  return db
    .select({
      ...columns,
      status: sql<ApprovalStatus>`case when ${isOverdue} then 'expired' else ${status} end`,
      endUser: endUsers.externalId,
    })
    .from(approvals)
    .leftJoin(
      endUsers,
      and(eq(endUsers.accountId, approvals.accountId), eq(endUsers.id, approvals.endUserId)),
    );
}

export type ApprovalRow = Awaited<ReturnType<typeof selectApprovals>>[number];

/** Returns the approval as committed now, locked until the transaction ends. */
export async function lockApproval(tx: Transaction, condition: SQL): Promise<ApprovalRow | undefined> {
  // Two statements: one that has waited for a lock still sees the rest of the database as of before the wait.
  const [locked] = await tx.select({ id: approvals.id }).from(approvals).where(condition).for("update");
  if (!locked) return undefined;
  const [row] = await selectApprovals(tx).where(condition);
  return row;
}

/** The columns of the payload after the decision: the privacy tier decides whether it is kept. */
export const settledPayload = {
  payload: sql`case when ${approvals.keepPayload} then ${approvals.payload} end`,
  sealedPayload: null,
};

/** Returns the owner of a sealed payload, for `operation/payload.ts`. */
export const sealedFor = (id: string) => ({ id, privacyTier: "strict" as const });

/** Reads the decisions on these approvals, in order. */
export function decisionsOn(db: Db | Transaction, accountId: string, ids: readonly string[]) {
  return db
    .select()
    .from(approvalDecisions)
    .where(and(eq(approvalDecisions.accountId, accountId), inArray(approvalDecisions.approvalId, [...ids])))
    .orderBy(asc(approvalDecisions.place));
}

/** Returns rows of one account in their public form. */
export async function toApprovals(
  db: Db | Transaction,
  rows: readonly ApprovalRow[],
): Promise<ApprovalView[]> {
  const [first] = rows;
  if (!first) return [];
  const decisions = await decisionsOn(
    db,
    first.accountId,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    subject: { serviceId: row.serviceId, operationId: row.operationId, id: row.resource },
    summary: row.summary,
    reason: row.reason,
    payload: row.sealedPayload ? fromStored(sealedFor(row.id), "payload", row.sealedPayload) : row.payload,
    payloadHash: Buffer.from(row.payloadHash).toString("hex"),
    requestedBy: actorOf(row),
    requiredApprovals: row.requiredApprovals,
    initiatorMayApprove: row.initiatorMayApprove,
    approvers: row.approvers,
    decisions: decisions
      .filter((decision) => decision.approvalId === row.id)
      .map((decision) => ({
        by: actorOf(decision),
        decision: decision.decision,
        reason: decision.reason,
        at: decision.at.toISOString(),
      })),
    status: row.status,
    runId: row.runId,
    projectId: row.projectId,
    endUser: row.endUser,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    consumedAt: row.consumedAt?.toISOString() ?? null,
  }));
}

function actorOf({ actorType, actorId, actorLabel }: Principal): ApprovalView["requestedBy"] {
  const kind = actorType === "key" ? "apiKey" : "member";
  return { type: actorType, id: actorId && idOf(kind, actorId), label: actorLabel };
}
