import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";
import { startLoops } from "./load.ts";

/** Shorter than a process keeps idle connections, as is usual: it could close one just when a call is sent on it. */
export const IDLE_MS = 60_000;
const PROBE_MS = 100;
/** After so many failed probes in a row a process gets no more calls, as is usual; a busy machine delays single ones. */
const FALL = 3;

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Starts a load balancer in front of processes at these ports: it takes turns among the healthy ones, keeps its
 * connections to them open, and repeats no call, so a call that a process loses is answered 502 with the reason. The
 * header `X-Served-By` names the port of the process that answered.
 */
export async function startBalancer(ports: readonly number[]) {
  const agents = new Map(ports.map((port) => [port, new Agent({ keepAlive: true, timeout: IDLE_MS })]));
  const failed = new Map(ports.map((port) => [port, FALL]));
  const healthy = () => ports.filter((port) => (failed.get(port) ?? FALL) < FALL);
  let turn = 0;
  const probing = ports.map((port) => async () => {
    failed.set(port, (await isHealthy(port)) ? 0 : (failed.get(port) ?? 0) + 1);
  });
  const probes = startLoops(probing.map((work) => ({ work, pauseMs: PROBE_MS })));

  function pass(port: number, message: IncomingMessage, answered: (answer: IncomingMessage) => void) {
    const { method, url, headers } = message;
    const call = { port, host: "127.0.0.1", method, path: url, headers, agent: agents.get(port) };
    return message.pipe(request(call, answered));
  }

  const server = createServer((message, answer) => {
    const up = healthy();
    const port = up[turn++ % Math.max(up.length, 1)];
    if (port === undefined) return void answer.writeHead(503).end();
    pass(port, message, (passed) => {
      // Headers about the backend's connection are not for the client.
      const { connection, ...headers } = passed.headers;
      passed.pipe(answer.writeHead(passed.statusCode ?? 502, { ...headers, "x-served-by": port }));
    }).on("error", (reason) => {
      const error = { code: "bad_gateway", message: `${port}: ${reason}` };
      if (!answer.headersSent) answer.writeHead(502).end(JSON.stringify({ error }));
    });
  });
  // Only the client closes idle connections: if the server closed one just when a call arrives, the call would be lost.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onCleanup(async () => {
    await probes.stop();
    server.closeAllConnections();
    server.close();
    for (const agent of agents.values()) agent.destroy();
  });
  return { origin: `http://127.0.0.1:${portOf(server)}`, healthy };
}
