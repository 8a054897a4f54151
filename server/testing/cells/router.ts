import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { IDLE_MS } from "../balancer.ts";

/** The ports by cell: the shared one, each cell's own, and the one that each cell listens on. */
export interface Addresses {
  shared: number;
  own: Record<string, number>;
  cells: Record<string, number>;
}

export interface Router {
  /** A command that merges its input into the map of moved secrets. */
  command: string;
  stop(): unknown;
}

/** Returns the command of docs/scaling.md, "Moving an account". */
export const mergeCommand = (file: string) =>
  `cat - '${file}' | sort -s -u -k1,1 > '${file}.new' && mv '${file}.new' '${file}'`;

const TOKENS = /^\/oauth\/(token|revoke)$/;
const ADDRESSES = /^\/(?:in|resume)\/([^/]+)/;

/** Returns the secret of a call, found as in docs/operating/cells/haproxy.cfg. */
function secretOf({ headers, url = "" }: IncomingMessage, body: string): string {
  const address = ADDRESSES.exec(url)?.[1];
  if (address) return address;
  const form = new URLSearchParams(body);
  const inForm = form.get("refresh_token") ?? form.get("token");
  if (inForm) return inForm;
  const token = headers["x-service-credit-token"];
  return typeof token === "string" ? token : (headers.authorization?.split(" ")[1] ?? "");
}

/** Returns a reader of a map of moved secrets that reads the file again after each change. */
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

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * Routes each call to its cell by the rules of docs/operating/cells/haproxy.cfg, if HAProxy is not installed: by the
 * secret's hash if its account has moved, else by the cell in the secret, else by the address, else to the first cell.
 */
export async function startRouter({ shared, own, cells }: Addresses, movedFile: string): Promise<Router> {
  writeFileSync(movedFile, "");
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const moved = readMap(movedFile);
  const [first = 0] = Object.values(cells);

  function portFor(message: IncomingMessage, body: string, home: number): number {
    const secret = secretOf(message, body);
    const hash = createHash("sha256").update(secret).digest("hex");
    const elsewhere = cells[moved().get(hash) ?? ""];
    if (elsewhere) return elsewhere;
    if (!secret.startsWith("svc_")) return home;
    return cells[secret.split("_")[2]?.slice(0, 2) ?? ""] ?? first;
  }

  function listen(port: number, home: number) {
    const server = createServer(async (message, answer) => {
      const { method, url, headers } = message;
      const form = TOKENS.test(url ?? "") ? await bodyOf(message) : "";
      const call = {
        port: portFor(message, form, home),
        host: "127.0.0.1",
        method,
        path: url,
        headers,
        agent,
      };
      const passed = request(call, (passed) => {
        const { connection, ...headers } = passed.headers;
        passed.pipe(answer.writeHead(passed.statusCode ?? 502, headers));
      });
      passed.on("error", () => answer.headersSent || answer.writeHead(502).end());
      answer.on("close", () => answer.writableFinished || passed.destroy());
      if (form) passed.end(form);
      else message.pipe(passed);
    });
    server.keepAliveTimeout = 0;
    return new Promise<typeof server>((done) => server.listen(port, "127.0.0.1", () => done(server)));
  }

  const servers = [await listen(shared, first)];
  for (const [name, port] of Object.entries(own)) servers.push(await listen(port, cells[name] ?? first));
  return {
    command: mergeCommand(movedFile),
    stop() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      agent.destroy();
    },
  };
}
