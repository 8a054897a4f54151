import { platform } from "#server/platform.ts";
import { authenticateClient } from "./clients.ts";
import { needed, readForm } from "./form.ts";
import { OAuthError } from "./oauth-error.ts";
import { json, oauthRoute } from "./oauth-route.ts";
import { redeemCode } from "./redeem-code.ts";
import { refreshTokens } from "./refresh-tokens.ts";

/** `/oauth/token`: tokens for a code, or for a refresh token. */
export const exchangeToken = oauthRoute("POST", "/oauth/token", async (request, from) => {
  const parameters = await readForm(request);
  const clientId = await authenticateClient(request, parameters);
  const grantType = needed(parameters, "grant_type");
  const exchange = { authorization_code: redeemCode, refresh_token: refreshTokens }[grantType];
  if (!exchange)
    throw new OAuthError("unsupported_grant_type", "Send grant_type authorization_code or refresh_token.");
  const { db } = platform().database;
  // A refusal may leave something behind: a code that is used up, a grant that has ended.
  const answer = await db.transaction((tx) => exchange(tx, { clientId, parameters, from }));
  if (answer instanceof OAuthError) throw answer;
  return json(answer);
});
