import { and, eq } from "drizzle-orm";
import { oauthGrants, oauthTokens } from "#db/schema/oauth.ts";
import { secretHash } from "#server/keys/secrets.ts";
import { platform } from "#server/platform.ts";
import { authenticateClient } from "./clients.ts";
import { needed, readForm } from "./form.ts";
import { endGrant } from "./grants.ts";
import { OAuthError } from "./oauth-error.ts";
import { json, oauthRoute } from "./oauth-route.ts";

/**
 * `/oauth/revoke`: revoking a refresh token ends the app's access; revoking an access token ends only that token (RFC
 * 7009).
 */
export const revokeToken = oauthRoute("POST", "/oauth/revoke", async (request, from) => {
  const parameters = await readForm(request);
  const clientId = await authenticateClient(request, parameters);
  const hash = eq(oauthTokens.hash, secretHash(needed(parameters, "token")));
  await platform().database.db.transaction(async (tx) => {
    const [token] = await tx
      .select({
        accountId: oauthTokens.accountId,
        keyId: oauthTokens.keyId,
        kind: oauthTokens.kind,
        clientId: oauthGrants.clientId,
      })
      .from(oauthTokens)
      .innerJoin(
        oauthGrants,
        and(eq(oauthGrants.accountId, oauthTokens.accountId), eq(oauthGrants.keyId, oauthTokens.keyId)),
      )
      .where(hash);
    if (!token) return;
    if (token.clientId !== clientId) throw new OAuthError("invalid_grant", "The token is another app's.");
    if (token.kind === "refresh") await endGrant(tx, token, "apps.revoke", from);
    else await tx.delete(oauthTokens).where(hash);
  });
  return json({});
});
