import { authorize } from "./authorize.ts";
import { readResourceMetadata, readServerMetadata } from "./metadata.ts";
import { registerClient } from "./register.ts";
import { revokeToken } from "./revoke.ts";
import { exchangeToken } from "./token.ts";

/** Where apps sign in; the pages on the way are Next.js's. */
export const oauthRoutes = {
  "/.well-known/oauth-protected-resource": readResourceMetadata,
  "/.well-known/oauth-authorization-server": readServerMetadata,
  "/oauth/authorize": authorize,
  "/oauth/register": registerClient,
  "/oauth/revoke": revokeToken,
  "/oauth/token": exchangeToken,
};
