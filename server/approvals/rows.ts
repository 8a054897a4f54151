import { and, asc, eq, getTableColumns, inArray, not, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf, anyOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { approvalDecisions, approvals } from "#db/schema/approvals.ts";
import { idOf, uuidOf } from "#server/ids.ts";
import { fromStored } from "#server/operation/payload.ts";
import type { Principal } from "./principals.ts";
import type { Approval } from "./schema.ts";

export type ApprovalView = z.input<typeof Approval>;
export type ApprovalStatus = ApprovalView["status"];

/** The approval with this id; a malformed one is like one that is missing. */
export function withId(approvalId: string): SQL {
  return uuidOf("approval", approvalId) === null ? sql`false` : eq(approvals.id, approvalId);
}

/**
 * Approvals whose time can still run out. What the platform does by itself as soon as it is approved is safe from that;
 * an approved service action waits for its caller.
 */
export const isOpen = sql`(${approvals.status} = 'pending' or ${approvals.status} = 'approved' and ${approvals.kind} = 'service_action')`;

/** Approvals that are past their time, whether they say so yet or not. */
const isOverdue = sql`(${isOpen} and ${approvals.expiresAt} <= clock_timestamp())`;

/** Approvals that have this status at this moment. */
export function hasStatus(status: ApprovalStatus): SQL {
  const written = eq(approvals.status, status);
  return status === "expired" ? anyOf(written, isOverdue) : allOf(written, not(isOverdue));
}

const { status, ...columns } = getTableColumns(approvals);

/** Approvals as `toApprovals` takes them, with the status that they have at this moment. */
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

/** The approval as it is committed now, locked until the transaction ends. */
export async function lockApproval(tx: Transaction, condition: SQL): Promise<ApprovalRow | undefined> {
  // Two statements: one that waits for a lock still sees the rest of the database as it was before.
  const [locked] = await tx.select({ id: approvals.id }).from(approvals).where(condition).for("update");
  if (!locked) return undefined;
  const [row] = await selectApprovals(tx).where(condition);
  return row;
}

/** What becomes of the payload when nothing waits for it any more: the privacy tier decides. */
export const settledPayload = {
  payload: sql`case when ${approvals.keepPayload} then ${approvals.payload} end`,
  sealedPayload: null,
};

/** Whose payload is sealed, for `operation/payload.ts`. */
export const sealedFor = (id: string) => ({ id, privacyTier: "strict" as const });

/** What was decided on these approvals, in order. */
export function decisionsOn(db: Db | Transaction, accountId: string, ids: readonly string[]) {
  return db
    .select()
    .from(approvalDecisions)
    .where(and(eq(approvalDecisions.accountId, accountId), inArray(approvalDecisions.approvalId, [...ids])))
    .orderBy(asc(approvalDecisions.place));
}

/** The wire's form of rows of one account. */
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
