import { resumeStep } from "./callbacks/resume-step.ts";
import { handleClients } from "./clients/handle-clients.ts";
import { readReceipt } from "./credits/receipts/read-receipt.ts";
import { readReceiptKeys } from "./credits/receipts/read-receipt-keys.ts";
import { readDownload } from "./downloads/read-download.ts";
import { handleAuth } from "./members/auth-handler.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import { watchRun } from "./runs/watch-run.ts";
import { createHttpHandler, handleV1 } from "./transports/http.ts";
import { handleMcp } from "./transports/mcp.ts";
import { handleSession } from "./transports/session.ts";
import { handleTrpc } from "./transports/trpc.ts";
import { handleInbound } from "./triggers/inbound/handle-inbound.ts";
import { handleInspection } from "./webhooks/inspect.ts";

/**
 * The handlers for everything that is not a page, by the path's first segments. The platform's own server
 * calls them directly; under `next start`, the route files below `app` do.
 */
export const routes = {
  "/v1": handleV1,
  "/health": handleV1,
  "/openapi.json": handleV1,
  "/mcp": handleMcp,
  "/clients": handleClients,
  "/downloads": createHttpHandler([readDownload]),
  "/watch": createHttpHandler([watchRun], { open: true }),
  "/resume": createHttpHandler([resumeStep]),
  "/in": handleInbound,
  "/inspect": handleInspection,
  "/receipts": createHttpHandler([readReceipt]),
  "/.well-known/jwks.json": createHttpHandler([readReceiptKeys]),
  ...oauthRoutes,
  "/api/bytes": handleSession,
  "/api/trpc": handleTrpc,
  "/api/auth": handleAuth,
};

export type RoutePath = keyof typeof routes;
