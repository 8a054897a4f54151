import { hash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts, members } from "#db/schema/accounts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthGrants, oauthTokens } from "#db/schema/oauth.ts";
import { currentTime } from "#server/base/clock.ts";
import { platform } from "#server/platform.ts";
import type { Call } from "./call.ts";
import { bearer, hasOAuth, resourceMetadata } from "./challenge.ts";
import { ApiError } from "./errors.ts";
import { mayConnectApps, ROLE_SCOPES } from "./roles.ts";
import { type Scope, scopesFor } from "./scopes.ts";

/**
 * Adds a scope challenge (RFC 6750, 3.1) to the refusal of an app whose own access lacks the scope. For MCP
 * only if another consent could help, since clients open the browser on every challenge.
 */
export async function withScopeChallenge(call: Call, refusal: ApiError | null): Promise<ApiError | null> {
  const { operation, credential, transport } = call;
  if (refusal?.code !== "scope_missing" || credential.type !== "key") return refusal;
  if (!hasOAuth(platform().settings.baseUrl)) return refusal;
  const { db } = platform().database;
  const scope = operation.scope as Scope;
  const grant = await grantOf(db, credential.secret);
  if (!grant || grant.keyId !== refusal.details.keyId) return refusal;
  const helps = mayGet(grant, scope);
  if (helps) await recordChallenge(db, grant);
  else if (transport === "mcp") return refusal;
  const challenge = bearer({
    error: "insufficient_scope",
    error_description: `${operation.operationId} needs ${scope}.`,
    scope: [...grant.scopes, scope].join(" "),
    resource_metadata: resourceMetadata(credential.path),
  });
  const headers = { ...refusal.details.headers, "www-authenticate": challenge };
  return new ApiError(refusal.code, refusal.message, { ...refusal.details, headers });
}

type Grant = NonNullable<Awaited<ReturnType<typeof grantOf>>>;

/** Returns the grant of an access token; undefined for a key. */
async function grantOf(db: Db, token: string) {
  const [grant] = await db
    .select({
      accountId: oauthGrants.accountId,
      keyId: oauthGrants.keyId,
      clientId: oauthGrants.clientId,
      declined: oauthGrants.declined,
      scopes: apiKeys.scopes,
      role: members.role,
      connectors: accounts.appConnectors,
      expiresAt: oauthTokens.expiresAt,
    })
    .from(oauthTokens)
    .innerJoin(
      oauthGrants,
      and(eq(oauthGrants.accountId, oauthTokens.accountId), eq(oauthGrants.keyId, oauthTokens.keyId)),
    )
    .innerJoin(apiKeys, and(eq(apiKeys.accountId, oauthGrants.accountId), eq(apiKeys.id, oauthGrants.keyId)))
    .innerJoin(
      members,
      and(eq(members.accountId, oauthGrants.accountId), eq(members.id, oauthGrants.memberId)),
    )
    .innerJoin(accounts, eq(accounts.id, oauthGrants.accountId))
    .where(eq(oauthTokens.hash, new Uint8Array(hash("sha256", token, "buffer"))));
  return grant;
}

/** True if the person can grant the scope and has not declined it. */
function mayGet({ role, connectors, clientId, declined }: Grant, scope: Scope): boolean {
  if (!mayConnectApps(connectors, role)) return false;
  return (
    ROLE_SCOPES[role].includes(scope) && scopesFor(clientId).includes(scope) && !declined.includes(scope)
  );
}

async function recordChallenge(db: Db, { accountId, keyId, expiresAt }: Grant): Promise<void> {
  await db
    .update(oauthGrants)
    .set({ challengedAt: currentTime(), challengedUntil: expiresAt })
    .where(and(eq(oauthGrants.accountId, accountId), eq(oauthGrants.keyId, keyId)));
}
