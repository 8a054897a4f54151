import { createServer, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/** The fault that the proxy applies to a request or its response. */
export type Spoiling =
  | "pass"
  /** The request never arrives. */
  | "reset before"
  /** The request arrives, but its response does not. */
  | "reset after"
  /** The same, with an error page of the proxy instead of the response. */
  | "bad gateway after"
  /** Half of the response arrives, then the connection breaks. */
  | "cut"
  /** The response's headers arrive, its body does not. */
  | "hang";

interface Proxied {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
}

/** Starts a proxy in front of the platform that applies faults, until the test file ends. */
export async function startSpoiledProxy(origin: string) {
  const seen: Proxied[] = [];
  let plan: Spoiling[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    seen.push({ method, path: url, headers });
    const spoiling = plan.shift() ?? "pass";
    const body = await buffer(incoming).catch(() => null);
    if (spoiling === "reset before" || !body) return void incoming.socket.destroy();
    const { host: _, "transfer-encoding": __, ...kept } = headers;
    const forwarded = send(`${origin}${url}`, { method, headers: kept }, async (answer) => {
      const bytes = await buffer(answer);
      if (spoiling === "reset after") return void incoming.socket.destroy();
      if (spoiling === "bad gateway after")
        return void outgoing.writeHead(502, { "content-type": "text/html" }).end("<h1>502 Bad Gateway</h1>");
      const { "transfer-encoding": ___, ...sent } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, { ...sent, "content-length": bytes.byteLength });
      if (spoiling === "pass") return void outgoing.end(bytes);
      outgoing.write(bytes.subarray(0, spoiling === "cut" ? bytes.byteLength >> 1 : 1), () => {
        if (spoiling === "cut") setImmediate(() => incoming.socket.destroy());
      });
    });
    forwarded.on("error", () => incoming.socket.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    seen,
    /** Applies these faults to the next requests, in order; later requests pass. */
    spoil(...next: Spoiling[]) {
      plan = next;
      seen.length = 0;
    },
  };
}
