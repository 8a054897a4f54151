import { and, arrayContained, eq, inArray, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { apiKeys, keyBranches, keyLimits } from "#db/schema/keys.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { defined } from "#server/base/defined.ts";
import { selectorsBeyondRole } from "#server/catalogue/selectors.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import type { Caller, Role } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import { platform } from "#server/platform.ts";
import { wakeTriggersOf } from "#server/triggers/queries.ts";
import { disableWebhooksOf } from "#server/webhooks/queries.ts";
import { expiryOf } from "./lifetime.ts";
import type { ApiKey, AppEnd } from "./schema.ts";

export type KeyRow = typeof apiKeys.$inferSelect;
export type LimitRow = typeof keyLimits.$inferSelect;

/** True for these keys and their descendants. */
export function below(accountId: string, ids: readonly string[]): SQL {
  const mine = and(eq(keyBranches.accountId, accountId), inArray(keyBranches.aboveId, [...ids]));
  return sql`${apiKeys.id} in (select ${keyBranches.keyId} from ${keyBranches} where ${mine})`;
}

/** A key manages itself and its descendants, a member every key of the account; a selected project restricts both. */
export function manageableKeys(caller: Caller): SQL {
  return allOf(
    eq(apiKeys.accountId, caller.accountId),
    caller.type === "key" ? below(caller.accountId, [caller.id]) : undefined,
    caller.project ? eq(apiKeys.projectId, caller.project.id) : undefined,
    caller.endUser ? (caller.endUser.id ? eq(apiKeys.endUserId, caller.endUser.id) : sql`false`) : undefined,
  );
}

/** Returns the keys of a chain, highest first. */
export async function chainOf(
  db: Db | Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<KeyRow[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, [...ids])));
  return rows.sort((a, b) => a.depth - b.depth);
}

/** Returns a key that the caller manages, with its ancestors, highest first. */
export async function managedChain(db: Db | Transaction, caller: Caller, id: string): Promise<KeyRow[]> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(manageableKeys(caller), eq(apiKeys.id, id)));
  if (!row) throw notFound("API key", id);
  return chainOf(db, caller.accountId, row.chain);
}

/** Returns the limits of a chain's keys. */
export async function limitsOf(db: Db | Transaction, chain: readonly KeyRow[]): Promise<LimitRow[]> {
  const lowest = chain.at(-1);
  if (!lowest?.limited) return [];
  const ids = chain.map((key) => key.id);
  return db
    .select()
    .from(keyLimits)
    .where(and(eq(keyLimits.accountId, lowest.accountId), inArray(keyLimits.keyId, ids)));
}

/** Emits a key's event to the webhooks of its branch. Returns the key in its public form. */
export async function emitKeyEvent(
  tx: Transaction,
  row: KeyRow,
  type: "api_key.created" | "api_key.expiring" | "api_key.revoked" | "app.connected",
  request: { caller: Pick<Caller, "id">; at: Date },
): Promise<z.input<typeof ApiKey>> {
  const { accountId, projectId, endUserId, id } = row;
  const apiKey = defined((await toApiKeys(tx, [row], request))[0]);
  await emitEvent(tx, { type, accountId, projectId, endUserId, resource: id, keyId: id, data: { apiKey } });
  return apiKey;
}

/** Emits that a key was revoked and, if it belongs to an app, that the app's access has ended. */
export async function emitKeyRevoked(
  tx: Transaction,
  row: KeyRow,
  request: { caller: Pick<Caller, "id">; at: Date },
  reason: AppEnd = "revoked",
): Promise<z.input<typeof ApiKey>> {
  const apiKey = await emitKeyEvent(tx, row, "api_key.revoked", request);
  await emitAppEnded(tx, row, apiKey, reason);
  return apiKey;
}

/** Emits once that an app's access has ended; does nothing for other keys. */
export async function emitAppEnded(
  tx: Transaction,
  { accountId, projectId, endUserId, id }: KeyRow,
  apiKey: z.input<typeof ApiKey>,
  reason: AppEnd,
): Promise<void> {
  if (apiKey.app === null) return;
  const mine = and(eq(oauthGrants.accountId, accountId), eq(oauthGrants.keyId, id));
  const [ended] = await tx
    .update(oauthGrants)
    .set({ endEmitted: true })
    .where(and(mine, eq(oauthGrants.endEmitted, false)))
    .returning({ keyId: oauthGrants.keyId });
  if (!ended) return;
  const data = { apiKey, reason };
  await emitEvent(tx, { type: "app.ended", accountId, projectId, endUserId, resource: id, keyId: id, data });
}

/** Returns these keys and all their descendants, highest first. */
export async function branchesOf(
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), below(accountId, ids)))
    .orderBy(apiKeys.depth, apiKeys.id);
  return rows.map(({ id }) => id);
}

/** Revokes these keys and their descendants; returns every key that became invalid. */
export async function revokeKeys(
  tx: Transaction,
  accountId: string,
  which: SQL,
  request: { caller: Pick<Caller, "id">; at: Date },
  reason: AppEnd = "revoked",
): Promise<string[]> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt), which))
    .returning();
  if (revoked.length === 0) return [];
  const ids = revoked.map(({ id }) => id);
  const stopped = await branchesOf(tx, accountId, ids);
  await disableWebhooksOf(tx, accountId, stopped, "key_revoked");
  await wakeTriggersOf(tx, accountId, stopped);
  for (const row of revoked) await emitKeyRevoked(tx, row, request, reason);
  return stopped;
}

/**
 * Revokes the keys that a member created, or only those that may do more than this role; returns every key that became
 * invalid.
 */
export async function revokeKeysOfMember(
  tx: Transaction,
  {
    member,
    beyond,
    request,
  }: {
    member: { accountId: string; id: string };
    beyond?: Role;
    request: { caller: Pick<Caller, "id">; at: Date };
  },
): Promise<string[]> {
  const theirs = and(eq(apiKeys.memberId, member.id), beyond && exceeds(beyond));
  return revokeKeys(tx, member.accountId, defined(theirs), request, beyond ? "revoked" : "membership_ended");
}

/** True for keys with a scope that the role lacks, and for those whose chain allows an operation beyond the role. */
function exceeds(role: Role): SQL | undefined {
  const operations = selectorsBeyondRole(role, platform().operations).map(
    ({ selector, operation }) => sql`exists (
      select from judge_chain(${apiKeys.accountId}, ${apiKeys.chain}, 0, ${operation.scope}, null, array[${selector}], true, null, null) j
      where j.scope_by is null and j.operation_by is null)`,
  );
  return or(not(arrayContained(apiKeys.scopes, [...ROLE_SCOPES[role]])), ...operations);
}

/**
 * Returns the public form of rows, with the state of their ancestors, and the calling key's expiry as extended by
 * this request.
 */
export async function toApiKeys(
  db: Db | Transaction,
  rows: KeyRow[],
  request: { caller: Pick<Caller, "id">; at: Date },
): Promise<z.input<typeof ApiKey>[]> {
  const [first] = rows;
  if (!first) return [];
  const above = [...new Set(rows.flatMap((row) => row.chain.slice(1)))];
  const ends = [...new Set(rows.flatMap((row) => row.endUserId ?? []))];
  const ancestors =
    above.length === 0
      ? []
      : await db
          .select()
          .from(apiKeys)
          .where(and(eq(apiKeys.accountId, first.accountId), inArray(apiKeys.id, above)));
  const users =
    ends.length === 0
      ? []
      : await db
          .select()
          .from(endUsers)
          .where(and(eq(endUsers.accountId, first.accountId), inArray(endUsers.id, ends)));
  const grants = await grantsOf(db, rows);
  const byId = new Map(ancestors.map((ancestor) => [ancestor.id, ancestor]));
  const externalIds = new Map(users.map((user) => [user.id, user.externalId]));
  const usedAt = (row: KeyRow) => (row.id === request.caller.id ? request.at : undefined);
  return rows.map((row) => {
    const chain = row.chain.slice(1).flatMap((id) => byId.get(id) ?? []);
    const lastUsedAt =
      row.id === request.caller.id && row.expiryMode === "renewed_by_use" ? request.at : row.lastUsedAt;
    const expiresAt = expiryOf(row, usedAt(row));
    return {
      id: row.id,
      label: row.label,
      prefix: row.prefix,
      scopes: row.scopes,
      // A key's own boundary lies within every boundary above it, so the nearest one is the chain's.
      allowedServices:
        row.allowedServices ?? chain.find((key) => key.allowedServices)?.allowedServices ?? null,
      allowedOperations:
        row.allowedOperations ?? chain.find((key) => key.allowedOperations)?.allowedOperations ?? null,
      limits: row.limits,
      expiresAt: expiresAt.toISOString(),
      expiryMode: row.expiryMode,
      status: row.revokedAt ? "revoked" : expiresAt <= request.at ? "expired" : "active",
      invalidBecause: chain.some((key) => key.revokedAt)
        ? "ancestor_revoked"
        : chain.some((key) => expiryOf(key, usedAt(key)) <= request.at)
          ? "ancestor_expired"
          : null,
      parentId: row.parentId,
      depth: row.depth,
      projectId: row.projectId,
      app: grants.get(row.id) ?? null,
      endUser: row.endUserId ? (externalIds.get(row.endUserId) ?? null) : null,
      privacyTier: row.privacyTier,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      revokedAt: row.revokedAt?.toISOString() ?? null,
    };
  });
}

/** Returns the grants of those keys that belong to apps, by the keys' ids. */
async function grantsOf(db: Db | Transaction, rows: readonly KeyRow[]) {
  const [first] = rows;
  const ids = rows.filter(({ prefix }) => prefix === "svc_oat_").map(({ id }) => id);
  const grants =
    first && ids.length > 0
      ? await db
          .select()
          .from(oauthGrants)
          .where(and(eq(oauthGrants.accountId, first.accountId), inArray(oauthGrants.keyId, ids)))
      : [];
  const appOf = ({ clientId, clientName, host }: typeof oauthGrants.$inferSelect) => ({
    id: clientId,
    name: clientName,
    host,
    verified: host !== null,
  });
  return new Map(grants.map((grant) => [grant.keyId, appOf(grant)]));
}
