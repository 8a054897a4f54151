import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

const [PARSE, BIND, BIND_COMPLETE, READY] = ["P", "B", "2", "Z"].map((type) => type.charCodeAt(0));

/** The statements whose responses are lost: by their text, on a connection that has sent one like `after` before. */
interface Lost {
  text: RegExp;
  after?: RegExp;
}

/** What happens to a response: it is forwarded, unless there are bytes in its place; `copy` gets its messages. */
interface Fate {
  instead?: Buffer;
  copy?: Buffer[];
}

/**
 * Starts a proxy of the database that confuses responses. `lose` makes it lose the next response to such a prepared
 * statement, so that each query of the connection gets the response of the next, and resolves when that has come.
 * `repeat` makes it send the next such response twice: also in place of the one after it, on whatever connection.
 */
export async function startLossyDatabase(url: string, statements: RegExp | Lost) {
  const lost = statements instanceof RegExp ? { text: statements } : statements;
  const { hostname, port } = new URL(url);
  const losing: (() => void)[] = [];
  let repeated: Buffer[] | undefined;

  function fateOfMarked(): Fate {
    const lose = losing.shift();
    lose?.();
    if (lose) return { instead: Buffer.alloc(0) };
    if (!repeated) return {};
    if (repeated.length === 0) return { copy: repeated };
    const instead = Buffer.concat(repeated);
    repeated = undefined;
    return { instead };
  }

  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    const bound = watchStatements(client, lost);
    client.pipe(database);
    passAnswers(database, client, () => (bound.shift() === true ? fateOfMarked() : {}));
    const end = () => void [client.destroy(), database.destroy()];
    for (const socket of [client, database]) socket.on("error", end).on("close", end);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onCleanup(() => void server.close());
  return {
    url: url.replace(`:${port}/`, `:${portOf(server)}/`),
    lose: () => new Promise<void>((resolve) => void losing.push(resolve)),
    repeat() {
      repeated = [];
    },
  };
}

/** For each unanswered execution that the client has requested: whether its response may be lost. */
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
      // The message that opens a connection has no type byte.
      const isOpening = !started;
      started ||= pending.length >= 4;
      return isOpening && started ? pending.readUInt32BE(0) : 0;
    },
  );
  return bound;
}

/**
 * Forwards the database's messages, one by one; the response to a prepared statement is forwarded completely or not at
 * all.
 */
function passAnswers(database: Socket, client: Socket, fateOf: () => Fate) {
  let fate: Fate = {};
  eachMessage(database, (message) => {
    if (message[0] === BIND_COMPLETE) {
      fate = fateOf();
      if (fate.instead) client.write(fate.instead);
    }
    fate.copy?.push(message);
    if (!fate.instead) client.write(message);
    if (message[0] === READY) fate = {};
  });
}

/** Calls `onMessage` with each message that a socket receives; `skip` returns how many bytes to skip first. */
function eachMessage(socket: Socket, onMessage: (message: Buffer) => void, skip = (_: Buffer) => 0) {
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    pending = pending.subarray(skip(pending));
    while (pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
      const end = 1 + pending.readUInt32BE(1);
      onMessage(pending.subarray(0, end));
      pending = pending.subarray(end);
    }
  });
}
