import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { connections } from "#db/schema/connections.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { invalid, notFound } from "#server/operation/errors.ts";
import { visible } from "#server/operation/tenancy.ts";
import { isAllowedUrl } from "./hosts.ts";
import type { Connection } from "./schema.ts";

export type ConnectionRow = typeof connections.$inferSelect;

/** Excludes the sealed values, which only the code that opens them selects. */
const { secret: _secret, token: _token, refusals: _refusals, ...shownColumns } = getTableColumns(connections);

/** The columns that responses are built from. */
export const connectionColumns = { ...shownColumns, endUser: endUsers.externalId };

/** Joins the end user that a connection belongs to. */
export const ownEndUser = allOf(
  eq(endUsers.accountId, connections.accountId),
  eq(endUsers.id, connections.endUserId),
);

/**
 * Returns the condition for one connection that the caller sees. A malformed id is treated like one that does not
 * exist.
 */
export function oneVisible(caller: Caller, connectionId: string): SQL {
  if (uuidOf("connection", connectionId) === null) return sql`false`;
  return allOf(visible(connections, caller), eq(connections.id, connectionId));
}

/** Refuses a connection that the caller does not see, or that is not for the host of this address. */
export async function refuseUnfit(
  db: Db | Transaction,
  caller: Caller,
  connectionId: string,
  url: URL | undefined,
): Promise<void> {
  const [row] = await db
    .select({ allowedHosts: connections.allowedHosts })
    .from(connections)
    .where(oneVisible(caller, connectionId));
  if (!row) throw notFound("connection", connectionId);
  if (url && !isAllowedUrl(row.allowedHosts, url))
    throw invalid(
      "body.connectionId",
      `Connection ${connectionId} is bound to ${row.allowedHosts.join(", ")}, and the service is at ${url.host}.`,
    );
}

/** A row without its sealed values. */
export type Shown = Omit<ConnectionRow, "secret" | "token" | "refusals"> & { endUser: string | null };

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** Returns a connection's row in its public form. */
export function toConnection(row: Shown): z.input<typeof Connection> {
  return {
    id: row.id,
    label: row.label,
    provider: row.provider,
    authType: row.authType,
    allowedHosts: row.allowedHosts,
    headerName: row.headerName,
    username: row.username,
    clientId: row.clientId,
    tokenUrl: row.tokenUrl,
    tokenScopes: row.tokenScopes,
    status: row.status,
    secretFingerprint: row.secretFingerprint,
    secretVersion: row.secretVersion,
    rotatedAt: iso(row.rotatedAt),
    expiresAt: iso(row.expiresAt),
    lastUsedAt: iso(row.lastUsedAt),
    lastError: row.lastError,
    metadata: row.metadata,
    projectId: row.projectId,
    endUser: row.endUser,
    createdAt: row.createdAt.toISOString(),
  };
}
