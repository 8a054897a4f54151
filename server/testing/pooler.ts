import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import pg from "pg";
import { defined } from "#server/base/defined.ts";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";
import { createTestDatabase } from "./database.ts";
import { type Pooler, startPgbouncer } from "./pgbouncer.ts";

/** The startup parameters that pgbouncer accepts; it refuses others. */
const PARAMETERS = new Set([
  "user",
  "database",
  "client_encoding",
  "application_name",
  "DateStyle",
  "TimeZone",
]);
/** Matches statements whose effect outlives their transaction, and so would reach another client. */
const SESSION_STATE = [
  /^\s*listen\b/i,
  /\bpg_(try_)?advisory_lock/i,
  /^\s*set (?!local\b)/i,
  /set_config\([^()]*,\s*false\)/i,
  /^\s*(declare|prepare|create temp)/i,
];
const HEADER = 5;
const START = 8;

const text = (value: string) => Buffer.from(`${value}\0`);

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(HEADER);
  head.write(type, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const refusal = (reason: string) =>
  message("E", text("SFATAL"), text("C08P01"), text(`M${reason}`), Buffer.alloc(1));

/** Calls back with a socket's messages, one by one, after a client's first `skip` messages, which have no type byte. */
function messagesOf(
  socket: Socket,
  onMessage: (type: string, message: Buffer) => void,
  first?: (start: Buffer) => void,
) {
  let pending: Buffer = Buffer.alloc(0);
  let started = first === undefined;
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const lengthAt = started ? 1 : 0;
      if (pending.length < lengthAt + 4) return;
      const end = lengthAt + pending.readUInt32BE(lengthAt);
      if (pending.length < end) return;
      const whole = pending.subarray(0, end);
      pending = pending.subarray(end);
      if (started) onMessage(String.fromCharCode(defined(whole[0])), whole);
      else {
        started = true;
        first?.(whole);
      }
    }
  });
}

/** A session of the database, which serves one client's transaction after another. */
interface Session {
  socket: Socket;
  client: Client | null;
  /** The number of expected ReadyForQuery messages: one for each Sync and each query. */
  due: number;
  /** True if messages have been sent that no Sync has followed yet. */
  isOpen: boolean;
  /** For each expected response to Parse and Close, by Sync: whether the client has requested it. */
  asked: boolean[][];
}

interface Client {
  socket: Socket;
  session: Session | null;
  /** The messages that wait for a session. */
  waiting: { type: string; message: Buffer }[];
  statements: Map<string, Buffer>;
}

/**
 * Starts a transaction pooler in front of the database: the PgBouncer at the path PGBOUNCER if that is set, else one of
 * the tests' own.
 */
export function startPooler(url: string, size: number): Promise<Pooler> {
  const { PGBOUNCER } = process.env;
  return PGBOUNCER ? startPgbouncer(PGBOUNCER, url, size) : startOwnPooler(url, size);
}

/**
 * Like PgBouncer, gives each transaction of a client any free session, repeats prepared statements there, and refuses
 * startup parameters.
 */
async function startOwnPooler(url: string, size: number): Promise<Pooler> {
  const sessionState: string[] = [];
  const free: Session[] = [];
  const queue: Client[] = [];
  const all: pg.Client[] = [];
  const clients = new Set<Socket>();
  let parameters: Buffer[] = [];

  async function openSession() {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    const { connection } = client as unknown as { connection: { stream: Socket; on: typeof once } };
    const parameterMessages: Buffer[] = [];
    (connection as unknown as pg.Client).on(
      "parameterStatus" as never,
      (({ parameterName, parameterValue }: Record<string, string>) =>
        parameterMessages.push(message("S", text(parameterName ?? ""), text(parameterValue ?? "")))) as never,
    );
    await client.connect();
    all.push(client);
    parameters = parameterMessages;
    const socket = connection.stream;
    socket.removeAllListeners("data");
    const session: Session = { socket, client: null, due: 0, isOpen: false, asked: [[]] };
    messagesOf(socket, (type, message) => answer(session, type, message));
    free.push(session);
  }

  function answer(session: Session, type: string, message: Buffer) {
    const { client, asked } = session;
    if ((type === "1" || type === "3") && asked[0]?.shift() === false) return;
    client?.socket.write(message);
    if (type !== "Z") return;
    session.due -= 1;
    asked.shift();
    if (asked.length === 0) asked.push([]);
    if (session.due > 0 || session.isOpen || message[HEADER] !== "I".charCodeAt(0)) return;
    if (client) client.session = null;
    session.client = null;
    free.push(session);
    serve();
  }

  function serve() {
    while (free.length > 0 && queue.length > 0) {
      const [session, client] = [defined(free.shift()), defined(queue.shift())];
      if (client.socket.destroyed) {
        free.unshift(session);
        continue;
      }
      session.client = client;
      client.session = session;
      for (const { type, message } of client.waiting.splice(0)) pass(client, session, type, message);
    }
  }

  /** Forwards a message; prepares its statement again if this session has another under that name. */
  function pass({ statements }: Client, session: Session, type: string, sent: Buffer) {
    const { socket, asked } = session;
    const body = sent.toString("latin1", HEADER);
    const segment = asked.at(-1) as boolean[];
    const close = (name: string) =>
      socket.write(message("C", Buffer.from("S"), Buffer.from(`${name}\0`, "latin1")));
    if (type === "P") {
      const [name = "", query = ""] = body.split("\0");
      for (const pattern of SESSION_STATE) if (pattern.test(query)) sessionState.push(query);
      if (name) {
        statements.set(name, sent);
        close(name);
        segment.push(false);
      }
      segment.push(true);
    }
    const name =
      type === "B" ? body.split("\0")[1] : type === "D" && body[0] === "S" ? body.slice(1, -1) : "";
    const parsed = name ? statements.get(name) : undefined;
    if (name && parsed) {
      close(name);
      socket.write(parsed);
      segment.push(false, false);
    }
    if (type === "C") segment.push(true);
    if (type === "Q") for (const pattern of SESSION_STATE) if (pattern.test(body)) sessionState.push(body);
    session.isOpen = type !== "S" && type !== "Q";
    if (!session.isOpen) {
      session.due += 1;
      asked.push([]);
    }
    socket.write(sent);
  }

  function accept(socket: Socket) {
    const client: Client = { socket, session: null, waiting: [], statements: new Map() };
    clients.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clients.delete(socket);
      // During a transaction the session cannot serve others.
      if (!client.session) return;
      client.session.socket.destroy();
      void openSession().then(serve);
    });
    function onMessage(type: string, message: Buffer) {
      if (type === "X") return void socket.end();
      if (client.session) return pass(client, client.session, type, message);
      client.waiting.push({ type, message });
      if (client.waiting.length === 1) queue.push(client);
      serve();
    }
    messagesOf(socket, onMessage, (start) => {
      const words = start.toString("latin1", START).split("\0");
      const unknown = words.filter((word, nth) => nth % 2 === 0 && word && !PARAMETERS.has(word));
      if (unknown.length > 0) return void socket.end(refusal(`unsupported startup parameter: ${unknown[0]}`));
      const key = Buffer.alloc(8);
      socket.write(message("R", Buffer.alloc(4)));
      for (const parameter of parameters) socket.write(parameter);
      socket.write(Buffer.concat([message("K", key), message("Z", Buffer.from("I"))]));
    });
  }

  await Promise.all(Array.from({ length: size }, openSession));
  const server = createServer({ noDelay: true }, accept);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onCleanup(async () => {
    server.close();
    for (const socket of clients) socket.destroy();
    for (const client of all)
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  });
  return {
    url: url.replace(/:\d+(?=\/)/, `:${portOf(server)}`),
    sessionState,
    async restart() {
      for (const socket of clients) socket.destroy();
    },
  };
}

/** A few sessions for a whole test file, so that its callers' transactions alternate between them. */
const SESSIONS = 4;

/**
 * Creates a database for one test file behind a pooler; dropping it fails if statements were sent that need a session.
 */
export async function createPooledDatabase() {
  const direct = await createTestDatabase();
  const pooler = await startPooler(direct.url, SESSIONS);
  return {
    url: pooler.url,
    directUrl: direct.url,
    async drop() {
      await direct.drop();
      if (pooler.sessionState.length > 0)
        throw new Error(`Sessions of a pooler were given a state: ${pooler.sessionState.join("; ")}`);
    },
  };
}
