import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { holdLiveness } from "#server/base/liveness.ts";
import { portOf } from "#server/boot/processes.ts";
import { relayBatch } from "#server/webhooks/relay.ts";
import { startWebhooks } from "#server/webhooks/worker.ts";
import type { startApi } from "./api.ts";
import { onCleanup } from "./cleanup.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** A delivery as its endpoint received it. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** The unparsed body, for checking signatures. */
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a payload by looking into it.
  body: any;
}

/** Starts an endpoint that records its deliveries. `answer` returns its response; by default 200. */
export async function startEndpoint(
  answer: (response: ServerResponse, received: Received) => unknown = (response) => response.end("ok"),
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const one = { headers: request.headers, raw, body: JSON.parse(raw) };
    received.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server)}/hook`, received };
}

/** Starts a worker that relays and delivers this platform's events, until the test file ends. */
export async function startDelivering(api: Api) {
  const liveness = await holdLiveness(api.databaseUrl);
  const webhooks = startWebhooks(api.platform, api.databaseUrl, liveness.name);
  let stopped: Promise<void> | undefined;
  function stop() {
    stopped ??= webhooks.stop().then(() => liveness.release());
    return stopped;
  }
  onCleanup(stop);
  return { stop };
}

/** Creates a webhook for this key, for these events. */
export async function createWebhook(
  api: Api,
  key: string,
  url: string,
  events = ["*"],
): Promise<{ webhook: { id: string }; secret: string }> {
  const body = { url, events };
  return api.mustSend(201, "POST", "/v1/webhooks", { key, body });
}

/** Creates an event by creating a project; returns the project's id. */
export async function makeEvent(api: Api, key: string, name = "Shop"): Promise<string> {
  const { project } = await api.mustSend(201, "POST", "/v1/projects", { key, body: { name } });
  return project.id;
}

/** Relays the stored events; returns the event names of a webhook's deliveries, oldest first. */
export async function queuedFor(api: Api, key: string, webhookId: string): Promise<string[]> {
  await relayBatch(api.platform.database.client);
  const { body } = await api.send("GET", `/v1/webhook-deliveries?webhookId=${webhookId}&limit=100`, { key });
  return body.deliveries.map(({ event }: { event: string }) => event).reverse();
}
