import { z } from "zod";
import { oauthClients } from "#db/schema/oauth.ts";
import { currentMs } from "#server/base/clock.ts";
import type { HttpRequest } from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { newSecret, secretHash } from "#server/keys/secrets.ts";
import { ApiError } from "#server/operation/errors.ts";
import { parseBody, readBytes } from "#server/operation/json-body.ts";
import { takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { OAuthError } from "./oauth-error.ts";
import { type From, json, oauthRoute } from "./oauth-route.ts";
import { redirectUriFault } from "./redirect-uris.ts";
import { shownName } from "./shown-name.ts";

const MAX_BYTES = 16 * 1024;
const DEPTH = 16;
const Registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(10),
  client_name: z.string().optional().catch(undefined),
  token_endpoint_auth_method: z
    .enum(["none", "client_secret_basic", "client_secret_post"])
    .default("client_secret_basic"),
});

/**
 * `/oauth/register`: registers an app with its name and redirect addresses (RFC 7591). Nothing of that is verified.
 */
export const registerClient = oauthRoute("POST", "/oauth/register", async (request, from) => {
  if (!platform().settings.oauth.registration) throw new ApiError("not_found", "No path /oauth/register.");
  const sent = await readRegistration(request);
  const fault = sent.redirect_uris.map((uri) => [uri, redirectUriFault(uri)] as const).find(([, why]) => why);
  if (fault) throw new OAuthError("invalid_redirect_uri", `${fault[0].slice(0, 200)} ${fault[1]}.`);
  return store(sent, from);
});

async function readRegistration(request: HttpRequest) {
  if (!request.headers["content-type"]?.toLowerCase().startsWith("application/json"))
    throw new OAuthError("invalid_client_metadata", "Send application/json.");
  const body = parseBody(await readBytes(request, MAX_BYTES), DEPTH);
  const parsed = Registration.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? "body");
  const code = field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
  throw new OAuthError(code, `${field}: ${issue?.message ?? "is wrong"}`);
}

async function store(sent: z.output<typeof Registration>, { ip }: From) {
  await takeTry("registration", ip);
  const id = newId("app");
  const authMethod = sent.token_endpoint_auth_method;
  const secret = authMethod === "none" ? null : newSecret("svc_ocs_", platform().settings.cell);
  const name = shownName(sent.client_name) ?? "Unnamed app";
  await platform()
    .database.db.insert(oauthClients)
    .values({
      id,
      name,
      redirectUris: sent.redirect_uris,
      authMethod,
      secretHash: secret === null ? null : secretHash(secret),
    });
  return json(
    {
      client_id: id,
      client_id_issued_at: Math.floor(currentMs() / 1000),
      client_name: name,
      redirect_uris: sent.redirect_uris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: authMethod,
      ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    },
    { status: 201 },
  );
}
