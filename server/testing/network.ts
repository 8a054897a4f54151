import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/**
 * A network between the platform and a database or another server: an address that leads to it, until `cut` has every
 * packet swallowed, and no connection closed, as long as it is not restored. `reset` ends the connections there are, and
 * `close` refuses new ones too, from then on.
 */
export async function startNetwork(url: () => string) {
  const sockets = new Set<Socket>();
  let whole = Promise.resolve();
  let restore: () => void = () => undefined;

  /** Passes on what one end sends, its close too. */
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
    /** The address behind which the database is. */
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
