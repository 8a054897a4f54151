import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

const [PARSE, BIND, BIND_COMPLETE, READY] = ["P", "B", "2", "Z"].map((type) => type.charCodeAt(0));

/** The statements whose answers are lost: by their text, on a connection that has sent one like `after` before. */
interface Lost {
  text: RegExp;
  after?: RegExp;
}

/**
 * An address of the database that loses answers: behind one, each query of the connection gets the answer of the next.
 * `lose` has it lose the next answer to such a prepared statement, and resolves when it has come.
 */
export async function startLossyDatabase(url: string, statements: RegExp | Lost) {
  const lost = statements instanceof RegExp ? { text: statements } : statements;
  const { hostname, port } = new URL(url);
  const losing: (() => void)[] = [];
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    const bound = watchStatements(client, lost);
    client.pipe(database);
    passAnswers(database, client, () => {
      const next = bound.shift() === true ? losing.shift() : undefined;
      next?.();
      return next !== undefined;
    });
    const end = () => void [client.destroy(), database.destroy()];
    for (const socket of [client, database]) socket.on("error", end).on("close", end);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onCleanup(() => void server.close());
  return {
    url: url.replace(`:${port}/`, `:${portOf(server)}/`),
    lose: () => new Promise<void>((resolve) => void losing.push(resolve)),
  };
}

/** For each execution that the client asked for and that is not answered yet: whether its answer may be lost. */
function watchStatements(client: Socket, { text, after }: Lost): boolean[] {
  const bound: boolean[] = [];
  const [marked, before] = [new Set<string>(), new Set<string>()];
  let follows = after === undefined;
  let started = false;
  eachMessage(
    client,
    (message) => {
      const [first = "", second = ""] = message.toString("latin1", 5).split("\0");
      if (message[0] === PARSE) {
        text.test(second) ? marked.add(first) : marked.delete(first);
        after?.test(second) ? before.add(first) : before.delete(first);
      }
      if (message[0] !== BIND) return;
      bound.push(follows && marked.has(second));
      follows ||= before.has(second);
    },
    (pending) => {
      // The message that opens a connection has no type.
      const isOpening = !started;
      started ||= pending.length >= 4;
      return isOpening && started ? pending.readUInt32BE(0) : 0;
    },
  );
  return bound;
}

/** Passes on what the database says, message by message; the answer to a prepared statement as a whole, or not at all. */
function passAnswers(database: Socket, client: Socket, isLost: () => boolean) {
  let lost = false;
  eachMessage(database, (message) => {
    if (message[0] === BIND_COMPLETE) lost = isLost();
    if (!lost) client.write(message);
    if (message[0] === READY) lost = false;
  });
}

/** Hears the messages that a socket receives, one by one; `skip` tells how many bytes to pass over first. */
function eachMessage(socket: Socket, hear: (message: Buffer) => void, skip = (_: Buffer) => 0) {
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    pending = pending.subarray(skip(pending));
    while (pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
      const end = 1 + pending.readUInt32BE(1);
      hear(pending.subarray(0, end));
      pending = pending.subarray(end);
    }
  });
}
