import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import postgres from "postgres";
import { defined } from "#server/defined.ts";
import { HAS_GUARD } from "./guard.ts";
import type { PgType } from "./types.ts";

/** A connection of a tenant's own. */
export interface Connection {
  sql: postgres.Sql;
  /** The backend's process. */
  pid: number;
  /** Whether its database had the guard when it was opened. */
  isGuarded: boolean;
  /** The cluster's own types. */
  types: ReadonlyMap<number, PgType>;
  /** How many calls it has served. */
  uses: number;
  /** Since when it is idle. */
  since: number;
  /** Whether the transaction of the call before, which only read, is still open. */
  stands: boolean;
  /** The bytes of the one message that was too large to be taken; null where none was. */
  refusedBytes(): number | null;
  /** Whether PostgreSQL ended it on request (57P01), which the driver does not pass on. */
  wasEnded(): boolean;
  /** Whether it is still the one that was opened: the driver connects anew by itself. */
  isWhole(): boolean;
  /** Stops and resumes what PostgreSQL sends. */
  pause(): void;
  resume(): void;
  /** Breaks it off; whatever its backend sends then ends that. */
  breakOff(): void;
}

/** PostgreSQL's own text goes both ways, without the driver's reading of it, which would round. */
const asText = { serialize: (value: unknown) => value, parse: (value: unknown) => value };
const TYPES = {
  string: { to: 25, from: [25], ...asText },
  number: { to: 0, from: [21, 23, 26, 700, 701], ...asText },
  json: { to: 114, from: [114, 3802], ...asText },
  boolean: { to: 16, from: [16], ...asText },
  date: { to: 1184, from: [1082, 1114, 1184], ...asText },
  bytea: { to: 17, from: [17], ...asText },
};

/** What a call's values look like, whatever the tenant has set for their role; `DISCARD ALL` comes back to it. */
const FORMAT = {
  search_path: "public",
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  // A statement whose process has died is gone by itself, unless it has turned that off.
  client_connection_check_interval: "1s",
};

const ERROR = "E".charCodeAt(0);
/** Not where the whole server goes: a backend that sees that tells it from another place. */
const isEnd = (fault: Buffer) => fault.includes("\0C57P01\0") && fault.includes("\0RProcessInterrupts\0");

/** Watches the messages that come in, and breaks off before one of more bytes is kept in memory. */
function boundMessages(socket: Socket, mostBytes: number, refuse: (bytes: number) => void, end: () => void) {
  const header = Buffer.alloc(5);
  let filled = 0;
  let skip = 0;
  socket.on("data", (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (skip > 0) {
        const passed = Math.min(skip, chunk.length - at);
        skip -= passed;
        at += passed;
        continue;
      }
      header[filled++] = defined(chunk[at++]);
      if (filled < header.length) continue;
      filled = 0;
      skip = header.readUInt32BE(1) - 4;
      if (header[0] === ERROR && isEnd(chunk.subarray(at, at + skip))) end();
      if (skip <= mostBytes) continue;
      refuse(skip);
      return void socket.destroy();
    }
  });
}

/** A socket that takes what is written, and breaks off. */
function brokenSocket(): Duplex {
  const lost = Object.assign(new Error("The connection was lost."), { code: "ECONNRESET" });
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  setImmediate(() => socket.destroy(lost));
  return socket;
}

/** Opens a connection, which ends when the cluster falls silent; no message of more than `mostBytes` is taken. */
export async function openConnection(
  url: string,
  types: ReadonlyMap<number, PgType>,
  mostBytes: number,
  silence: AbortSignal,
): Promise<Connection> {
  let socket: Socket | undefined;
  let opened = 0;
  let refused: number | null = null;
  let ended = false;
  const breakOff = () => void socket?.destroy();
  const forget = () => silence.removeEventListener("abort", breakOff);
  const options = {
    max: 1,
    max_lifetime: null,
    connect_timeout: 5,
    backoff: false,
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
    connection: FORMAT,
    types: TYPES,
    socket({ host, port, ssl }: { host: string[]; port: number[]; ssl: unknown }) {
      opened += 1;
      // The driver would go on in another session, outside of the transaction, and its commit would commit nothing.
      if (opened > 1) return brokenSocket();
      socket = connect(defined(port[0]), host[0]).once("close", forget);
      socket.setNoDelay(true);
      if (!ssl)
        boundMessages(
          socket,
          mostBytes,
          (bytes) => {
            refused = bytes;
          },
          () => {
            ended = true;
          },
        );
      return socket;
    },
  };
  silence.throwIfAborted();
  const sql = postgres(url, options as never);
  silence.addEventListener("abort", breakOff);
  try {
    const [row] = await sql.unsafe<{ pid: string; guarded: string }[]>(
      `select pg_catalog.pg_backend_pid()::pg_catalog.text as pid, ${HAS_GUARD}::pg_catalog.text as guarded`,
    );
    const isGuarded = row?.guarded === "true";
    return {
      sql,
      types,
      pid: Number(row?.pid),
      isGuarded,
      uses: 0,
      since: 0,
      stands: false,
      refusedBytes: () => refused,
      wasEnded: () => ended,
      isWhole: () => opened === 1 && !ended && socket?.destroyed === false,
      pause: () => void socket?.pause(),
      resume: () => void socket?.resume(),
      breakOff,
    };
  } catch (reason) {
    void sql.end({ timeout: 0 }).catch(() => undefined);
    throw reason;
  }
}
