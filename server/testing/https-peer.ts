import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import tls from "node:tls";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";
import { CERT, KEY } from "./localhost-certificate.ts";

/** Starts an HTTPS server on this machine that this process trusts; it is closed after the test. */
export async function startHttpsPeer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), CERT]);
  const server = createServer({ cert: CERT, key: KEY }, answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${portOf(server)}`;
}
