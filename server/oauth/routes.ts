import { authorize } from "./authorize.ts";
import { authorizeDevice } from "./device.ts";
import { readResourceMetadata, readServerMetadata } from "./metadata.ts";
import { registerClient } from "./register.ts";
import { revokeToken } from "./revoke.ts";
import { exchangeToken } from "./token.ts";

/** The OAuth endpoints; the pages in between are Next.js pages. */
export const oauthRoutes = {
  "/.well-known/oauth-protected-resource": readResourceMetadata,
  "/.well-known/oauth-authorization-server": readServerMetadata,
  "/oauth/authorize": authorize,
  "/oauth/device": authorizeDevice,
  "/oauth/register": registerClient,
  "/oauth/revoke": revokeToken,
  "/oauth/token": exchangeToken,
};
