import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/**
 * Starts a network between the platform and a server. `cut` drops all packets without closing a connection, until
 * `restore`. `reset` ends the current connections, and `close` also refuses new ones from then on.
 */
export async function startNetwork(url: () => string) {
  const sockets = new Set<Socket>();
  let whole = Promise.resolve();
  let restore: () => void = () => undefined;

  /** Forwards the data of one end, and its close. */
  function pass(from: Socket, to: Socket) {
    sockets.add(from);
    from.on("error", () => undefined);
    from.on("data", async (chunk) => {
      from.pause();
      await whole;
      to.write(chunk);
      from.resume();
    });
    from.on("close", async () => {
      sockets.delete(from);
      await whole;
      to.destroySoon();
    });
  }

  const server = createServer({ pauseOnConnect: true }, async (client) => {
    client.on("error", () => undefined);
    await whole;
    const { hostname, port } = new URL(url());
    const database = connect(Number(port), hostname);
    pass(client, database);
    pass(database, client);
    client.resume();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onCleanup(() => {
    restore();
    server.close();
  });
  const port = portOf(server);
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    /** Returns the address that leads through this network. */
    url: () => url().replace(/:\d+(?=\/|$)/, `:${port}`),
    cut() {
      const { promise, resolve } = Promise.withResolvers<void>();
      whole = promise;
      restore = resolve;
    },
    restore: () => restore(),
    reset,
    close() {
      server.close();
      reset();
    },
  };
}
