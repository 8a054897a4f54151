import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthGrants, oauthTokens } from "#db/schema/oauth.ts";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { isDead } from "#server/keys/lifetime.ts";
import { secretHash } from "#server/keys/secrets.ts";
import { needed } from "./form.ts";
import { endGrant, issueTokens, type Tokens } from "./grants.ts";
import { OAuthError } from "./oauth-error.ts";
import type { Exchange } from "./redeem-code.ts";
import { pathOfResource } from "./resources.ts";

/** How long the previous refresh token is still accepted: windows share a token store, and responses get lost. */
const GRACE_MS = 120_000;
/** A refresh within this time after a challenge is an app's attempt to get more access without asking the person. */
const CHALLENGED_MS = 60_000;
/** An access token with less time left is refreshed because of its age. */
const AGED_MS = 5 * 60_000;

/**
 * Returns new tokens for a refresh token. Reuse of a token that was replaced long ago ends the grant: somebody else
 * has it too.
 */
export async function refreshTokens(
  tx: Transaction,
  { clientId, parameters, from }: Exchange,
): Promise<Tokens | OAuthError> {
  const hash = secretHash(needed(parameters, "refresh_token"));
  const isRefresh = and(eq(oauthTokens.hash, hash), eq(oauthTokens.kind, "refresh"));
  const [token] = await tx.select().from(oauthTokens).where(isRefresh);
  if (!token || token.expiresAt.getTime() <= currentMs())
    return new OAuthError("invalid_grant", "The refresh token is unknown or has expired.");
  const { accountId, keyId } = token;
  const mine = and(eq(oauthGrants.accountId, accountId), eq(oauthGrants.keyId, keyId));
  const [grant] = await tx.select().from(oauthGrants).where(mine).for("update");
  const [key] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, keyId)));
  if (!grant || !key || grant.clientId !== clientId)
    return new OAuthError("invalid_grant", "The refresh token is another app's.");
  if (isDead(key, currentTime())) return new OAuthError("invalid_grant", "The access has ended.");
  const resource = parameters.get("resource");
  if (resource !== undefined && pathOfResource(resource) !== grant.resource)
    return new OAuthError("invalid_target", "The resource is not that of the access.");
  if (wantsMoreAccess(grant))
    return new OAuthError("invalid_grant", "More access takes a new consent: send the person to authorize.");
  const { generation } = grant;
  if (token.generation === generation) {
    await tx
      .update(oauthGrants)
      .set({ generation: generation + 1, rotatedAt: sql`clock_timestamp()` })
      .where(mine);
    return issueTokens(tx, key, generation + 1);
  }
  if (token.generation === generation - 1 && currentMs() - grant.rotatedAt.getTime() <= GRACE_MS)
    return issueTokens(tx, key, generation);
  await endGrant(tx, { accountId, keyId }, "apps.reuse_detected", from);
  return new OAuthError("invalid_grant", "The refresh token was used before; the access has ended.");
}

/**
 * True if the app refreshes because it was challenged: it would get the same scopes, and such clients then give up.
 */
function wantsMoreAccess({ challengedAt, challengedUntil }: typeof oauthGrants.$inferSelect): boolean {
  if (!challengedAt || !challengedUntil) return false;
  const now = currentMs();
  return now - challengedAt.getTime() <= CHALLENGED_MS && challengedUntil.getTime() - now > AGED_MS;
}
