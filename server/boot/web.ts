import { readReceipt } from "../credits/receipts/read-receipt.ts";
import { readReceiptKeys } from "../credits/receipts/read-receipt-keys.ts";
import { readDownload } from "../downloads/read-download.ts";
import type { Env } from "../env/read-env.ts";
import { handleAuth } from "../members/auth-handler.ts";
import type { Platform } from "../platform.ts";
import { createHttpHandler, handleV1 } from "../transports/http.ts";
import { handleMcp } from "../transports/mcp.ts";
import { handleSession } from "../transports/session.ts";
import { handleTrpc } from "../transports/trpc.ts";
import type { Engines } from "./engines.ts";
import { createHttpServer } from "./http-server.ts";
import type { startNext } from "./next.ts";
import type { Stop } from "./run-process.ts";

/** Starts the HTTP server: the API, and the console by Next.js; `stops` gets what undoes it, the last first. */
export async function startWeb(
  platform: Platform,
  next: Awaited<ReturnType<typeof startNext>>,
  { baseUrl, port, trustedProxies, directUrl }: Env & Pick<Engines, "directUrl">,
  stops: Stop[],
): Promise<void> {
  stops.push(await platform.changes.listen(directUrl));
  stops.push(next.close);
  const server = createHttpServer({
    baseUrl,
    handlers: {
      "/v1": handleV1,
      "/health": handleV1,
      "/openapi.json": handleV1,
      "/mcp": handleMcp,
      "/downloads": createHttpHandler([readDownload]),
      "/receipts": createHttpHandler([readReceipt]),
      "/.well-known/jwks.json": createHttpHandler([readReceiptKeys]),
      "/api/bytes": handleSession,
      "/api/trpc": handleTrpc,
      "/api/auth": handleAuth,
    },
    next: next.handle,
    webSockets: next.dev,
    trustedProxies,
  });
  await server.listen(port);
  stops.push(server.close);
}
