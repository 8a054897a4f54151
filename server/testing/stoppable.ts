import type { Server } from "node:http";
import { freePort } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/** Makes a server listen on loopback; it can be stopped and restarted at the same port, and ends with the test file. */
export async function startStoppable(server: Server) {
  const port = await freePort();
  const listen = () => new Promise<void>((done) => server.listen(port, "127.0.0.1", () => done()));
  await listen();
  async function stop() {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }
  onCleanup(async () => {
    if (server.listening) await stop();
  });
  return { origin: `http://127.0.0.1:${port}`, stop, start: listen };
}
