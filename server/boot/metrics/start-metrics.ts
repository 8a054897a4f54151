import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { log } from "../../base/log.ts";
import { telemetry } from "../../base/telemetry.ts";
import type { MetricsSettings } from "../../env/read-env.ts";
import type { Platform } from "../../platform.ts";
import { closeServer } from "../http/close-server.ts";
import { portOf } from "../processes.ts";
import { createInstruments, createRegistry } from "./instruments.ts";
import { createGauges, type GaugeOptions } from "./refresh-gauges.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Returns the check of requests for the token; if no token is set, every request may read. */
function createTokenCheck(token: string | null) {
  const expected = token === null ? null : digest(`Bearer ${token}`);
  return ({ headers }: IncomingMessage) =>
    expected === null || timingSafeEqual(digest(headers.authorization ?? ""), expected);
}

/** Counts this process's work, and serves the metrics at `/metrics` on a port of its own. */
export async function startMetrics(
  platform: Platform,
  { port, host, token }: MetricsSettings,
  options: GaugeOptions,
) {
  const registry = createRegistry();
  const gauges = createGauges(registry, platform, options);
  const mayRead = createTokenCheck(token);

  function say(answer: ServerResponse, status: number, text: string) {
    answer.writeHead(status, {
      "content-type": "text/plain; charset=utf-8",
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    });
    answer.end(`${text}\n`);
  }

  async function serve(message: IncomingMessage, answer: ServerResponse) {
    message.resume();
    const path = message.method === "GET" ? message.url?.split("?")[0] : undefined;
    // A worker has no other port that a supervisor could check.
    if (path === "/health/live") return say(answer, 200, "ok");
    if (!mayRead(message)) return say(answer, 401, "Send METRICS_TOKEN as a bearer token.");
    if (path !== "/metrics") return say(answer, 404, "Only GET /metrics and GET /health/live are here.");
    await gauges.refresh();
    answer.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" });
    answer.end(await registry.metrics());
  }

  const server = createServer((message, answer) => {
    serve(message, answer).catch((error) => {
      log.warn("Metrics could not be read.", { error });
      if (!answer.headersSent) say(answer, 500, "The metrics could not be read.");
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, host, listening);
  });
  telemetry.metrics = createInstruments(registry);
  return {
    port: portOf(server),
    async stop() {
      telemetry.metrics = null;
      await closeServer(server, 1000, () => undefined);
      await gauges.close();
    },
  };
}
