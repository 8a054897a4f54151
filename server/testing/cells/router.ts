import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { portOf } from "#server/boot/processes.ts";

/** The secret of a call, as docs/operating/cells/haproxy.cfg finds it. */
function secretOf({ headers }: IncomingMessage): string {
  const token = headers["x-service-credit-token"];
  return typeof token === "string" ? token : (headers.authorization?.split(" ")[1] ?? "");
}

/** Reads a map of moved secrets again whenever its file has changed. */
function readMap(file: string) {
  let read = "";
  let map = new Map<string, string>();
  return () => {
    const { mtimeNs, size } = statSync(file, { bigint: true });
    if (`${mtimeNs} ${size}` !== read) {
      read = `${mtimeNs} ${size}`;
      const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
      map = new Map(lines.map((line) => line.split(" ") as [string, string]));
    }
    return map;
  };
}

/**
 * Leads each call to its cell by the rules of docs/operating/cells/haproxy.cfg, where there is no HAProxy: by the secret's
 * hash if its account has moved, else by the cell in the secret, else to the first cell.
 */
export async function startRouter(ports: Record<string, number>, movedFile: string) {
  writeFileSync(movedFile, "");
  const agent = new Agent({ keepAlive: true });
  const moved = readMap(movedFile);
  const [first = 0] = Object.values(ports);

  function portFor(message: IncomingMessage): number {
    const secret = secretOf(message);
    const hash = createHash("sha256").update(secret).digest("hex");
    const cell = moved().get(hash) ?? secret.split("_")[2]?.slice(0, 2);
    return ports[cell ?? ""] ?? first;
  }

  const server = createServer((message, answer) => {
    const { method, url, headers } = message;
    const call = { port: portFor(message), host: "127.0.0.1", method, path: url, headers, agent };
    const passed = request(call, (passed) => {
      const { connection, ...headers } = passed.headers;
      passed.pipe(answer.writeHead(passed.statusCode ?? 502, headers));
    });
    message.pipe(passed).on("error", () => answer.headersSent || answer.writeHead(502).end());
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    stop() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
