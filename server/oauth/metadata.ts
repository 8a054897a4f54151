import { FIRST_SCOPES } from "#server/operation/challenge.ts";
import { ApiError } from "#server/operation/errors.ts";
import { APP_SCOPES } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { json, oauthRoute } from "./oauth-route.ts";
import { RESOURCE_PATHS } from "./resources.ts";
import { GRANT_TYPES } from "./token.ts";

const CACHED = { headers: { "cache-control": "public, max-age=300" } };
const RESOURCE = "/.well-known/oauth-protected-resource";
const SERVER = "/.well-known/oauth-authorization-server";
const METHODS = ["none", "client_secret_basic", "client_secret_post"];

/** `/.well-known/oauth-protected-resource`, for each resource and for both (RFC 9728). */
export const readResourceMetadata = oauthRoute(
  "GET",
  RESOURCE,
  async ({ url }) => {
    const { baseUrl } = platform().settings;
    const { pathname } = new URL(url);
    const path = RESOURCE_PATHS.find((one) => pathname === RESOURCE + one);
    if (path === undefined) throw new ApiError("not_found", `No path ${pathname}.`);
    return json(
      {
        resource: baseUrl + path,
        authorization_servers: [baseUrl],
        bearer_methods_supported: ["header"],
        scopes_supported: FIRST_SCOPES,
        resource_name: "Managed services platform",
        resource_documentation: `${baseUrl}/docs/mcp`,
      },
      CACHED,
    );
  },
  { within: true },
);

/** `/.well-known/oauth-authorization-server` (RFC 8414). */
export const readServerMetadata = oauthRoute("GET", SERVER, async () => {
  const { baseUrl, oauth } = platform().settings;
  return json(
    {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      ...(oauth.registration && { registration_endpoint: `${baseUrl}/oauth/register` }),
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      device_authorization_endpoint: `${baseUrl}/oauth/device`,
      scopes_supported: APP_SCOPES,
      response_types_supported: ["code"],
      grant_types_supported: Object.keys(GRANT_TYPES),
      token_endpoint_auth_methods_supported: METHODS,
      revocation_endpoint_auth_methods_supported: METHODS,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      ...(oauth.documents && { client_id_metadata_document_supported: true }),
    },
    CACHED,
  );
});
