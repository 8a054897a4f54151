import type { Server } from "node:http";
import { afterAll } from "vitest";
import { portOf } from "#server/boot/processes.ts";

/** Has a server listen on loopback; it may be stopped and started again at its port, and ends with the test file. */
export async function startStoppable(server: Server) {
  const listen = (port: number) =>
    new Promise<number>((done) => server.listen(port, "127.0.0.1", () => done(portOf(server))));
  const port = await listen(0);
  async function stop() {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }
  afterAll(async () => {
    if (server.listening) await stop();
  });
  return { origin: `http://127.0.0.1:${port}`, stop, start: () => listen(port) };
}
