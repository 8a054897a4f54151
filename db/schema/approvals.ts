import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "#server/approvals/statuses.ts";
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  endUserIndex,
  idEndIndex,
  instant,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** The requester or decider, with the columns by which two of them are compared as principals. */
const principal = () => ({
  actorType: text({ enum: ["key", "member", "system"] }).notNull(),
  actorId: uuid(),
  actorLabel: text().notNull(),
  /** The key and its ancestors; empty for a member. */
  chain: uuid().array().notNull(),
  /** The member, or the members who created a key of the chain. */
  memberIds: uuid().array().notNull(),
});

/**
 * An action that people must approve. `status` is as last stored: an expired approval says `pending` until the sweep.
 */
export const approvals = pgTable(
  "approvals",
  {
    accountId: accountId(),
    id: typeId("appr")().notNull(),
    ...assignment(),
    kind: text({
      enum: APPROVAL_KINDS,
    }).notNull(),
    serviceId: text().notNull(),
    operationId: text().notNull(),
    /** The resource that waits for the decision, if there is one. */
    resource: text(),
    summary: text().notNull(),
    reason: text(),
    /** The approved payload; null after the decision if the privacy tier keeps no payloads. */
    payload: jsonb(),
    /** The payload on the privacy tier `strict`, sealed. */
    sealedPayload: bytes(),
    keepPayload: boolean().notNull(),
    /** SHA-256 over the payload's RFC 8785 form. */
    payloadHash: bytes().notNull(),
    ...principal(),
    requiredApprovals: integer().notNull(),
    initiatorMayApprove: boolean().notNull(),
    /** Ids of the members and keys that may decide; null for everyone who has the scope. */
    approvers: text().array(),
    runId: typeId("run")(),
    status: text({ enum: APPROVAL_STATUSES }).notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    /** When it was approved or rejected. */
    decidedAt: instant(),
    consumedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("approvals", table.accountId, table.id),
    endUserIndex("approvals", table),
    index("approvals_status").on(table.accountId, table.status, table.id),
    index("approvals_kind").on(table.accountId, table.kind, table.id).concurrently(),
    index("approvals_run").on(table.accountId, table.runId).where(sql`run_id is not null`),
    ...searchIndexes("approvals_summary", table.accountId, table.summary),
    // For the sweep, over all accounts.
    index("approvals_open")
      .on(table.expiresAt)
      .where(sql`status = 'pending' or status = 'approved' and kind = 'service_action'`),
  ],
);

/** One principal's decision. */
export const approvalDecisions = pgTable(
  "approval_decisions",
  {
    accountId: accountId(),
    approvalId: typeId("appr")().notNull(),
    /** The decision's position among those of its approval. */
    place: integer().notNull(),
    ...principal(),
    decision: text({ enum: ["approve", "reject"] }).notNull(),
    reason: text(),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.approvalId, table.place] }),
    uniqueIndex("approval_decisions_actor").on(table.accountId, table.approvalId, table.actorId),
  ],
);
