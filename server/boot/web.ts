import type { Env } from "../env/read-env.ts";
import type { Platform } from "../platform.ts";
import { routes } from "../routes.ts";
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
    handlers: routes,
    next: next.handle,
    webSockets: next.dev,
    trustedProxies,
  });
  await server.listen(port);
  stops.push(server.close);
}
