import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { apiKeys, gates, keyLimits } from "#db/schema/keys.ts";
import { projects } from "#db/schema/projects.ts";
import { newId } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { operation } from "#server/operation/operation.ts";
import { ensureEndUser } from "#server/operation/tenancy.ts";
import { checkNames, operationsOf, servicesOf } from "./boundary.ts";
import { type KeyRow, refuseExcess, refuseRebinding } from "./delegation.ts";
import { defaultExpiry, expiryFault, expiryOf } from "./lifetime.ts";
import { toApiKeys } from "./queries.ts";
import { ApiKey, CreateApiKey, type NewKey } from "./schema.ts";
import { newSecret, secretHash } from "./secrets.ts";

export const createApiKey = operation({
  id: "apiKeys.create",
  method: "POST",
  path: "/api-keys",
  summary: "Create an API key",
  description:
    "With a bearer key: a child, narrower than every key above it. With the header `X-Service-Credit-Token` instead: the first key of an account. `secret` is answered once.",
  scope: "api_keys:manage",
  idempotent: true,
  creditToken: true,
  secretOutput: true,
  body: CreateApiKey,
  output: z.object({
    apiKey: ApiKey,
    secret: z.string().meta({
      description: "The bearer key. Shown once; only its hash is stored.",
      examples: ["svc_live_4fQx7Z…"],
    }),
  }),
  status: 201,
  errors: [
    "delegation_exceeds_parent",
    "project_not_allowed",
    "end_user_not_allowed",
    "not_found",
    "state_conflict",
  ],
  examples: {
    body: {
      label: "Backend",
      scopes: ["projects:read", "services:invoke"],
      limits: { "*": { requestsPerMinute: 600 } },
    },
  },

  async handler({ body, caller, db, request }) {
    checkNames(body);
    const now = request.at;
    const fault = body.expiresAt ? expiryFault(body.expiresAt, body.scopes, now) : null;
    if (fault) throw invalidRequest([fault]);
    refuseBeyondRole(body, caller);
    refuseRebinding(body, caller);

    const ancestors = await ancestorsOf(db, caller);
    const limits = await limitsOf(db, ancestors);
    const parent = ancestors.at(-1);
    const policy = {
      services: servicesOf(body, ancestors),
      operations: operationsOf(body, ancestors),
      privacyTier: body.privacyTier ?? parent?.privacyTier ?? "standard",
    };
    refuseExcess(body, policy, ancestors, limits, now);

    const earliest = ancestors
      .map((ancestor) => expiryOf(ancestor, ancestor === parent ? now : undefined))
      .sort((a, b) => a.getTime() - b.getTime())[0];
    const renewed = caller.type === "system" && !body.expiresAt;
    const secret = newSecret("svc_live_");
    const id = newId("apiKey");
    const [row] = await db
      .insert(apiKeys)
      .values({
        accountId: caller.accountId,
        id,
        label: body.label,
        prefix: secret.slice(0, 15),
        hash: secretHash(secret),
        parentId: parent?.id ?? null,
        chain: [id, ...(parent?.chain ?? [])],
        depth: parent ? parent.depth + 1 : 0,
        scopes: [...new Set(body.scopes)],
        allowedServices: policy.services,
        allowedOperations: policy.operations,
        operationsAsOf: parent?.operationsAsOf ?? now,
        expiryMode: renewed ? "renewed_by_use" : "fixed",
        expiresAt: renewed
          ? null
          : body.expiresAt
            ? new Date(body.expiresAt)
            : defaultExpiry(now, earliest ?? null),
        lastUsedAt: renewed ? now : null,
        limits: body.limits ?? {},
        limited: (parent?.limited ?? false) || Object.keys(body.limits ?? {}).length > 0,
        privacyTier: policy.privacyTier,
        memberId: caller.type === "member" ? caller.id : null,
        ...(await bindingOf(db, body, caller)),
      })
      .returning();
    const rows = Object.entries(body.limits ?? {}).map(([selector, limit]) => ({
      accountId: caller.accountId,
      keyId: id,
      selector,
      ...limit,
    }));
    if (rows.length > 0) {
      await db.insert(keyLimits).values(rows);
      // A new key has used nothing; a gate that is missing later was lost in a crash.
      await db.insert(gates).values(rows.map(({ keyId, selector }) => ({ keyId, selector })));
    }
    const [apiKey] = await toApiKeys(db, [row as KeyRow], { caller, at: now });
    return { apiKey: apiKey as z.input<typeof ApiKey>, secret };
  },
});

/** The parent and all above it, the highest first; none for a root key. */
async function ancestorsOf(db: Transaction, caller: Caller): Promise<KeyRow[]> {
  if (caller.type !== "key") return [];
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, caller.accountId), inArray(apiKeys.id, [...caller.chain])));
  return rows.sort((a, b) => a.depth - b.depth);
}

async function limitsOf(db: Transaction, ancestors: readonly KeyRow[]) {
  const [root] = ancestors;
  if (!ancestors.at(-1)?.limited || !root) return [];
  const ids = ancestors.map((ancestor) => ancestor.id);
  return db
    .select()
    .from(keyLimits)
    .where(and(eq(keyLimits.accountId, root.accountId), inArray(keyLimits.keyId, ids)));
}

/** A key that a member makes is never wider than his role. */
function refuseBeyondRole({ scopes }: NewKey, caller: Caller): void {
  if (caller.type !== "member") return;
  const issues = scopes.flatMap((scope, index) =>
    caller.scopes.includes(scope)
      ? []
      : [{ path: `body.scopes.${index}`, message: `The role ${caller.role} lacks ${scope}.` }],
  );
  if (issues.length > 0)
    throw new ApiError(
      "delegation_exceeds_parent",
      "A key can't be wider than the role of the member who makes it.",
      { issues },
    );
}

/** The project and the end user that the key is bound to: the caller's, or those that the body names. */
async function bindingOf(db: Transaction, body: NewKey, caller: Caller) {
  const { accountId, project, endUser } = caller;
  let projectId = project?.id ?? null;
  if (!projectId && body.projectId) {
    const [found] = await db
      .select()
      .from(projects)
      .where(and(eq(projects.accountId, accountId), eq(projects.id, body.projectId)));
    if (!found) throw notFound("project", body.projectId);
    if (found.archivedAt) throw new ApiError("state_conflict", `Project ${body.projectId} is archived.`);
    projectId = found.id;
  }
  const externalId = endUser?.externalId ?? body.endUser ?? null;
  const endUserId =
    endUser?.id ?? (externalId === null ? null : await ensureEndUser(db, accountId, externalId));
  return { projectId, endUserId };
}
