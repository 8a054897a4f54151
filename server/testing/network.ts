import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/**
 * Starts a network between the platform and a server. `cut` drops all packets without closing a connection, until
 * `restore`; `cutWithin` does so in the middle of a statement. `reset` ends the current connections, and `close` also
 * refuses new ones from then on.
 */
export async function startNetwork(url: () => string) {
  const sockets = new Set<Socket>();
  let whole = Promise.resolve();
  let restore: () => void = () => undefined;
  let watch: ((connection: Socket, chunk: Buffer) => void) | undefined;

  function cut() {
    const { promise, resolve } = Promise.withResolvers<void>();
    whole = promise;
    restore = resolve;
  }

  /** Forwards the data of one end of a client's connection, and its close. */
  function pass(from: Socket, to: Socket, client: Socket) {
    sockets.add(from);
    from.on("error", () => undefined);
    from.on("data", async (chunk) => {
      watch?.(client, chunk);
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
    pass(client, database, client);
    pass(database, client, client);
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
    cut,
    /** Cuts it once a connection has carried so many bytes after a matching statement. */
    cutWithin(statement: RegExp, bytes: number) {
      const reached = Promise.withResolvers<void>();
      const carried = new Map<Socket, number>();
      watch = (connection, chunk) => {
        const isMatching = carried.has(connection) || statement.test(chunk.toString("latin1"));
        if (!isMatching) return;
        const sum = (carried.get(connection) ?? 0) + chunk.length;
        carried.set(connection, sum);
        if (sum < bytes) return;
        watch = undefined;
        cut();
        reached.resolve();
      };
      return reached.promise;
    },
    restore: () => restore(),
    reset,
    close() {
      server.close();
      reset();
    },
  };
}
