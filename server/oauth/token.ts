import { CLI } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { authenticateClient } from "./clients.ts";
import { needed, readForm } from "./form.ts";
import { OAuthError } from "./oauth-error.ts";
import { json, oauthRoute } from "./oauth-route.ts";
import { redeemCode } from "./redeem-code.ts";
import { redeemDeviceCode } from "./redeem-device-code.ts";
import { refreshTokens } from "./refresh-tokens.ts";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export const GRANT_TYPES = {
  authorization_code: redeemCode,
  refresh_token: refreshTokens,
  [DEVICE_GRANT]: redeemDeviceCode,
};

/** `/oauth/token`: exchanges a code, a device code or a refresh token for tokens. */
export const exchangeToken = oauthRoute("POST", "/oauth/token", async (request, from) => {
  const parameters = await readForm(request);
  const clientId = await authenticateClient(request, parameters);
  const grantType = needed(parameters, "grant_type");
  if (!Object.hasOwn(GRANT_TYPES, grantType))
    throw new OAuthError(
      "unsupported_grant_type",
      `Send one of these as grant_type: ${Object.keys(GRANT_TYPES).join(", ")}.`,
    );
  const foreign = clientId === CLI ? "authorization_code" : DEVICE_GRANT;
  if (grantType === foreign)
    throw new OAuthError("unauthorized_client", `This app gets no tokens by ${grantType}.`);
  const exchange = GRANT_TYPES[grantType as keyof typeof GRANT_TYPES];
  const { db } = platform().database;
  // A refusal may have effects that must be committed: a used code, an ended grant.
  const answer = await db.transaction((tx) => exchange(tx, { clientId, parameters, from }));
  if (answer instanceof OAuthError) throw answer;
  return json(answer);
});
