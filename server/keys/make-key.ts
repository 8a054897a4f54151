import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { apiKeys, keyBranches, keyLimits, rateLimitCounters } from "#db/schema/keys.ts";
import { projects } from "#db/schema/projects.ts";
import { defined } from "#server/base/defined.ts";
import { newId, uuidOf } from "#server/base/ids.ts";
import { holdMembership } from "#server/members/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { ensureEndUser } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { askedOf, operationsOf, servicesOf, withinRole } from "./boundary.ts";
import { refusalsOf } from "./chain-refusals.ts";
import { type Above, refuseExcess } from "./delegation.ts";
import { defaultExpiry, expiryOf } from "./lifetime.ts";
import { emitKeyEvent, limitsOf } from "./queries.ts";
import type { MadeApiKey, NewKey } from "./schema.ts";
import { newSecret, type SecretPrefix, secretHash } from "./secrets.ts";

/** Who creates a key, and how. */
interface Making {
  caller: Caller;
  at: Date;
  above: Above;
  /** The secret prefix of an app's key: nobody receives the key's own secret, only those of its tokens. */
  prefix?: SecretPrefix;
  /** Stores the app's grant before the key is visible to anybody. */
  grant?(keyId: string): PromiseLike<unknown>;
}

/** Creates a key that may do no more than the keys above it and the role of the member who creates it. */
export async function makeKey(
  db: Transaction,
  sent: NewKey,
  { caller, at, above, prefix = "svc_live_", grant }: Making,
): Promise<z.input<typeof MadeApiKey>> {
  const { ancestors, usedAt } = above;
  const role = caller.type === "member" ? await holdMembership(db, caller) : null;
  const body = role ? withinRole(sent, role) : sent;

  const limits = await limitsOf(db, ancestors);
  const refusals = await refusalsOf(db, ancestors, askedOf(body));
  const parent = ancestors.at(-1);
  const policy = {
    services: servicesOf(body, refusals),
    operations: operationsOf(body, refusals),
    privacyTier: body.privacyTier ?? parent?.privacyTier ?? "standard",
  };
  refuseExcess(body, { policy, above, refusals, limits, role });

  const earliest = ancestors
    .map((ancestor) => expiryOf(ancestor, ancestor === parent ? usedAt : undefined))
    .sort((a, b) => a.getTime() - b.getTime())[0];
  const renewed = caller.type === "system" && !body.expiresAt;
  const secret = newSecret(prefix, platform().settings.cell);
  const id = newId("apiKey");
  const [row] = await db
    .insert(apiKeys)
    .values({
      accountId: caller.accountId,
      id,
      label: body.label,
      prefix: grant ? prefix : secret.slice(0, 15),
      hash: secretHash(secret),
      parentId: parent?.id ?? null,
      chain: [id, ...(parent?.chain ?? [])],
      depth: parent ? parent.depth + 1 : 0,
      scopes: [...new Set(body.scopes)],
      allowedServices: policy.services,
      allowedOperations: policy.operations,
      operationsAsOf: parent?.operationsAsOf ?? at,
      expiryMode: renewed ? "renewed_by_use" : "fixed",
      expiresAt: renewed
        ? null
        : body.expiresAt
          ? new Date(body.expiresAt)
          : defaultExpiry(at, earliest ?? null),
      lastUsedAt: renewed ? at : null,
      limits: body.limits ?? {},
      limited: (parent?.limited ?? false) || Object.keys(body.limits ?? {}).length > 0,
      privacyTier: policy.privacyTier,
      memberId: caller.type === "member" ? caller.id : null,
      ...(await bindingOf(db, body, caller.accountId, above)),
    })
    .returning();
  const { chain } = defined(row);
  await db
    .insert(keyBranches)
    .values(chain.map((aboveId) => ({ accountId: caller.accountId, aboveId, keyId: id })));
  const rows = Object.entries(body.limits ?? {}).map(([selector, limit]) => ({
    accountId: caller.accountId,
    keyId: id,
    selector,
    ...limit,
  }));
  if (rows.length > 0) {
    await db.insert(keyLimits).values(rows);
    // A new key has used nothing. With the counters stored now, a missing counter later means that a crash lost it.
    await db.insert(rateLimitCounters).values(rows.map(({ keyId, selector }) => ({ keyId, selector })));
  }
  await grant?.(id);
  return { apiKey: await emitKeyEvent(db, defined(row), "api_key.created", { caller, at }), secret };
}

/**
 * Returns the project and the end user that the key is bound to: those of its context, or those that the body names.
 */
async function bindingOf(db: Transaction, body: NewKey, accountId: string, { project, endUser }: Above) {
  let projectId = project?.id ?? null;
  if (!projectId && body.projectId) {
    const one = and(eq(projects.accountId, accountId), eq(projects.id, body.projectId));
    const [found] =
      uuidOf("project", body.projectId) === null ? [] : await db.select().from(projects).where(one);
    if (!found) throw notFound("project", body.projectId);
    if (found.archivedAt) throw new ApiError("state_conflict", `Project ${body.projectId} is archived.`);
    projectId = found.id;
  }
  const externalId = endUser?.externalId ?? body.endUser ?? null;
  const endUserId =
    endUser?.id ?? (externalId === null ? null : await ensureEndUser(db, accountId, externalId));
  return { projectId, endUserId };
}
