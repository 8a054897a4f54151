import { createHash } from "node:crypto";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { newId } from "#server/base/ids.ts";
import type { Caller } from "./caller.ts";
import { ApiError } from "./errors.ts";

interface TenantTable {
  accountId: PgColumn;
  projectId: PgColumn;
  endUserId: PgColumn;
}

/**
 * Returns the condition that restricts a query to the caller's account and, if bound or selected, their project and end
 * user. Every query of a tenant's table uses it.
 */
export function visible(table: TenantTable, caller: Caller): SQL {
  return allOf(
    eq(table.accountId, caller.accountId),
    caller.project ? eq(table.projectId, caller.project.id) : undefined,
    // An end user who is not stored yet owns nothing.
    caller.endUser ? (caller.endUser.id ? eq(table.endUserId, caller.endUser.id) : sql`false`) : undefined,
  );
}

/**
 * Like `visible`, but matches only rows with exactly the caller's assignment: unassigned rows for an unbound
 * caller.
 */
export function assignedAs(table: TenantTable, caller: Caller): SQL {
  return allOf(
    eq(table.accountId, caller.accountId),
    caller.project ? eq(table.projectId, caller.project.id) : isNull(table.projectId),
    caller.endUser
      ? caller.endUser.id
        ? eq(table.endUserId, caller.endUser.id)
        : sql`false`
      : isNull(table.endUserId),
  );
}

/** The account, project and end user that a resource is assigned to. */
export interface Assignment {
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
}

/** Returns an assignment as one value that an index can find. */
export function spaceOf(assignment: Assignment): string {
  const { accountId, projectId, endUserId } = assignment;
  const digest = createHash("sha256").update(JSON.stringify([accountId, projectId, endUserId]));
  return digest
    .digest("hex")
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Returns the space of the caller's own assignment. */
export function ownSpace({ accountId, project, endUser }: Caller): string {
  return spaceOf({ accountId, projectId: project?.id ?? null, endUserId: endUser?.id ?? null });
}

/**
 * Returns the assignment that the caller is bound to or has selected; null if the end user is not stored yet.
 */
export function selectedBy({ accountId, project, endUser }: Caller): Assignment | null {
  if (endUser && !endUser.id) return null;
  return { accountId, projectId: project?.id ?? null, endUserId: endUser?.id ?? null };
}

/** Returns the assignment of a resource that the caller creates. Stores the end user if they are new. */
export async function assignmentOf(tx: Transaction, caller: Caller): Promise<Assignment> {
  return {
    accountId: caller.accountId,
    projectId: caller.project?.id ?? null,
    endUserId: caller.endUser
      ? (caller.endUser.id ?? (await ensureEndUser(tx, caller.accountId, caller.endUser.externalId)))
      : null,
  };
}

/** Returns the id of the end user with this external id; inserts one if there is none. */
export async function ensureEndUser(
  tx: Db | Transaction,
  accountId: string,
  externalId: string,
): Promise<string> {
  const [row] = await tx
    .insert(endUsers)
    .values({ accountId, id: newId("endUser"), externalId })
    .onConflictDoUpdate({ target: [endUsers.accountId, endUsers.externalId], set: { externalId } })
    .returning({ id: endUsers.id });
  if (!row) throw new ApiError("internal", "The end user could not be stored.");
  return row.id;
}

/** Returns the customer's own id of an end user; null without an end user, and after erasure. */
export async function endUserNamed(
  tx: Db | Transaction,
  accountId: string,
  endUserId: string | null,
): Promise<string | null> {
  if (endUserId === null) return null;
  const [row] = await tx
    .select({ externalId: endUsers.externalId })
    .from(endUsers)
    .where(and(eq(endUsers.accountId, accountId), eq(endUsers.id, endUserId)));
  return row?.externalId ?? null;
}
