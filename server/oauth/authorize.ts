import { oauthRequests, type RequestingApp } from "#db/schema/oauth.ts";
import { currentMs } from "#server/base/clock.ts";
import { type HttpResponse, reply } from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { asApiError } from "#server/operation/faults.ts";
import { takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { scopesAsked } from "./app-scopes.ts";
import { findClient } from "./clients.ts";
import { type Parameters, parametersOf } from "./form.ts";
import { asOAuthError, OAuthError } from "./oauth-error.ts";
import { type From, oauthRoute } from "./oauth-route.ts";
import { isRedirectUri, withParameters } from "./redirect-uris.ts";
import { refusalPage, unavailablePage } from "./refusal-page.ts";
import { resourcePath } from "./resources.ts";

const REQUEST_MINUTES = 30;
const MAX_STATE = 2048;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * `/oauth/authorize`: sends the browser that comes from an app on to the consent page. Faults are sent back only to a
 * registered address of the app; before that is certain, they are shown here.
 */
export const authorize = oauthRoute("GET", "/oauth/authorize", async (request, from) => {
  const { parameters, repeated } = parametersOf(new URL(request.url).searchParams);
  const redirectUri = parameters.get("redirect_uri");
  const id = parameters.get("client_id");
  const twice = repeated.find((name) => name === "client_id" || name === "redirect_uri");
  if (twice) return refusalPage(`The app has sent ${twice} twice.`);
  if (!id) return refusalPage("The app has not said which one it is (client_id).");
  const client = await findClient(id, from.ip).catch((reason) => refusalOf(reason, from));
  if (client instanceof OAuthError) return unavailablePage(client);
  if (!client) return refusalPage("No app is known by the client_id that was sent.");
  if (!redirectUri || !isRedirectUri(client.redirectUris, redirectUri))
    return refusalPage("The app wants you sent to an address (redirect_uri) that it has not registered.");
  try {
    const [again] = repeated;
    if (again) throw new OAuthError("invalid_request", `The parameter ${again} was sent more than once.`);
    return await ask(client.app, redirectUri, parameters, from);
  } catch (reason) {
    return sendBack(redirectUri, parameters, refusalOf(reason, from));
  }
});

const refusalOf = (reason: unknown, { requestId }: From): OAuthError =>
  reason instanceof OAuthError ? reason : asOAuthError(asApiError(reason, requestId));

async function ask(
  app: RequestingApp,
  redirectUri: string,
  parameters: Parameters,
  { ip, userAgent }: From,
): Promise<HttpResponse> {
  if (parameters.get("response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "Send response_type=code.");
  const codeChallenge = parameters.get("code_challenge") ?? "";
  if (!CHALLENGE.test(codeChallenge))
    throw new OAuthError("invalid_request", "Send a code_challenge of 43 characters (PKCE).");
  if (parameters.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "Send code_challenge_method=S256.");
  if ((parameters.get("state")?.length ?? 0) > MAX_STATE)
    throw new OAuthError("invalid_request", `state is longer than ${MAX_STATE} characters.`);
  // PostgreSQL can't store it.
  if (parameters.get("state")?.includes("\0"))
    throw new OAuthError("invalid_request", "state contains a NUL character. Send it without one.");
  if (parameters.get("prompt")?.split(" ").includes("none"))
    throw new OAuthError("interaction_required", "A person has to be asked each time.");
  const resource = resourcePath(parameters.get("resource"), "/mcp");
  if (resource === null)
    throw new OAuthError("invalid_target", "The resource is not one of this platform's.");
  const scopes = scopesAsked(parameters.get("scope"), app.id);
  if (!scopes) throw new OAuthError("invalid_scope", "None of the scopes is known.");
  await takeTry("authorization", ip);
  const id = newId("appRequest");
  await platform()
    .database.db.insert(oauthRequests)
    .values({
      id,
      app,
      redirectUri,
      state: parameters.get("state") ?? null,
      scopes,
      resource,
      codeChallenge,
      ip,
      userAgent,
      expiresAt: new Date(currentMs() + REQUEST_MINUTES * 60_000),
    });
  return redirectTo(`${platform().settings.baseUrl}/oauth/consent?request=${id}`);
}

function sendBack(address: string, parameters: Parameters, { code, message }: OAuthError): HttpResponse {
  const state = parameters.get("state") ?? null;
  return redirectTo(
    withParameters(address, {
      error: code,
      error_description: message,
      state: state !== null && state.length <= MAX_STATE ? state : null,
      iss: platform().settings.baseUrl,
    }),
  );
}

function redirectTo(location: string): HttpResponse {
  return reply(null, { status: 303, headers: { location, "referrer-policy": "no-referrer" } });
}
