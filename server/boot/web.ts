import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "../env/read-env.ts";
import type { Platform } from "../platform.ts";
import { routes } from "../routes.ts";
import { type ReceivedRequest, received } from "../transports/route-handlers.ts";
import type { Engines } from "./engines/engines.ts";
import { createHttpServer } from "./http/http-server.ts";
import type { startNext } from "./http/next.ts";
import type { Stop } from "./run-process.ts";

/** The parts of our own server's message that the route files of Next.js need; our server adds the client's address. */
function receivedOf({ rawHeaders, headers }: IncomingMessage, answer: ServerResponse): ReceivedRequest {
  return {
    rawHeaders,
    remoteAddress: String(headers["x-forwarded-for"]),
    handlers: routes,
    cut: () => void answer.destroy(),
  };
}

/** Starts the HTTP server with the API, and with the console by Next.js; adds its end to `stops`. */
export async function startWeb(
  platform: Platform,
  next: Awaited<ReturnType<typeof startNext>>,
  { baseUrl, port, trustedProxies, drainSeconds, directUrl }: Env & Pick<Engines, "directUrl">,
  stops: Stop[],
): Promise<void> {
  stops.push(await platform.changes.listen(directUrl));
  stops.push(next.close);
  const server = createHttpServer({
    baseUrl,
    handlers: routes,
    // Paths that only Next.js resolves (`/x/../v1`) reach the same handlers by its route files.
    next: (message, answer) => received.run(receivedOf(message, answer), () => next.handle(message, answer)),
    webSockets: next.dev,
    trustedProxies,
  });
  await server.listen(port);
  stops.push(async () => {
    platform.streams.drain();
    server.retire();
    await sleep(drainSeconds * 1000);
    await server.close();
  });
}
