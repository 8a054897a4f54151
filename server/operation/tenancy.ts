import { createHash } from "node:crypto";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { newId } from "#server/ids.ts";
import type { Caller } from "./caller.ts";
import { ApiError } from "./errors.ts";

interface TenantTable {
  accountId: PgColumn;
  projectId: PgColumn;
  endUserId: PgColumn;
}

/**
 * The condition that keeps a query inside what the caller sees: its account and, where it is bound to or has
 * selected one, its project and its end user. Every query of a tenant's table goes through it.
 */
export function visible(table: TenantTable, caller: Caller): SQL {
  return allOf(
    eq(table.accountId, caller.accountId),
    caller.project ? eq(table.projectId, caller.project.id) : undefined,
    // An end user that the platform has not seen yet has nothing.
    caller.endUser ? (caller.endUser.id ? eq(table.endUserId, caller.endUser.id) : sql`false`) : undefined,
  );
}

/** As `visible`, but only what is assigned exactly as the caller is: unassigned things for an unbound caller. */
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

/** What a thing is assigned to. */
export interface Assignment {
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
}

/** What account, project and end user have for themselves, as one value that an index finds. */
export function spaceOf(assignment: Assignment): string {
  const { accountId, projectId, endUserId } = assignment;
  const digest = createHash("sha256").update(JSON.stringify([accountId, projectId, endUserId]));
  return digest
    .digest("hex")
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The space that the caller sees. */
export function ownSpace({ accountId, project, endUser }: Caller): string {
  return spaceOf({ accountId, projectId: project?.id ?? null, endUserId: endUser?.id ?? null });
}

/** What the caller is bound to or has selected; null for an end user that the platform has not seen yet. */
export function selectedBy({ accountId, project, endUser }: Caller): Assignment | null {
  if (endUser && !endUser.id) return null;
  return { accountId, projectId: project?.id ?? null, endUserId: endUser?.id ?? null };
}

/** What a thing that the caller creates is assigned to. Makes the end user known where it was not. */
export async function assignmentOf(tx: Transaction, caller: Caller): Promise<Assignment> {
  return {
    accountId: caller.accountId,
    projectId: caller.project?.id ?? null,
    endUserId: caller.endUser
      ? (caller.endUser.id ?? (await ensureEndUser(tx, caller.accountId, caller.endUser.externalId)))
      : null,
  };
}

/** The id of the end user with this external id, new where there was none. */
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

/** The customer's own id of an end user: null without one, and once it has been erased. */
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
