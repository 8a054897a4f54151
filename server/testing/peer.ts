import { createServer, type IncomingMessage } from "node:http";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/** A request as an outside system received it. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface PeerAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  body?: unknown;
}

/** A peer's behaviour: a response, `hang` until the client disconnects, or `reset` of the connection. */
export type Behaviour = (request: Received) => Done | Promise<Done>;
type Done = PeerAnswer | "hang" | "reset";

/** Starts an outside system: a real HTTP server on this machine, until the test file ends. */
export async function startPeer(behave: Behaviour, port = 0) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = "", url = "", headers } = request;
    const got = { method, path: url, headers, body: Buffer.concat(parts).toString() };
    received.push(got);
    const answer = await behave(got);
    if (answer === "hang") return;
    if (answer === "reset") return void response.destroy();
    const { status = 200, headers: sent = {}, body = {} } = answer;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...sent }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const used = portOf(server);

  async function stop() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  onCleanup(stop);
  return {
    origin: `http://127.0.0.1:${used}`,
    host: `127.0.0.1:${used}`,
    port: used,
    received,
    stop,
  };
}
