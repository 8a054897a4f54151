import { authorize } from "./authorize.ts";
import { authorizeDevice } from "./device.ts";
import { readResourceMetadata, readServerMetadata } from "./metadata.ts";
import { registerClient } from "./register.ts";
import { revokeToken } from "./revoke.ts";
import { exchangeToken } from "./token.ts";

/** Where apps sign in; the pages on the way are Next.js's. */
export const oauthRoutes = {
  "/.well-known/oauth-protected-resource": readResourceMetadata,
  "/.well-known/oauth-authorization-server": readServerMetadata,
  "/oauth/authorize": authorize,
  "/oauth/device": authorizeDevice,
  "/oauth/register": registerClient,
  "/oauth/revoke": revokeToken,
  "/oauth/token": exchangeToken,
};
