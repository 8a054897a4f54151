import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { HAS_GUARD } from "./guard.ts";
import type { PgType } from "./types.ts";

/** A connection of a tenant. */
export interface Connection {
  sql: postgres.Sql;
  /** The backend's process. */
  pid: number;
  /** True if its database had the guard when the connection was opened. */
  isGuarded: boolean;
  /** The cluster's own types. */
  types: ReadonlyMap<number, PgType>;
  /** The number of calls that it has served. */
  uses: number;
  /** The time since which it is idle. */
  since: number;
  /** True if the transaction of the previous, reading call is still open. */
  inTransaction: boolean;
  /** The size of the message that was too large to be read; null if there was none. */
  refusedBytes(): number | null;
  /** True if PostgreSQL ended it on request (57P01), which the driver does not report. */
  wasEnded(): boolean;
  /** True if it is still the original connection: the driver reconnects by itself. */
  isWhole(): boolean;
  /** Pause and resume reading from PostgreSQL. */
  pause(): void;
  resume(): void;
  /** Breaks the connection; its backend ends at its next write. */
  breakOff(): void;
  /** Waits until more of a long result may be read. */
  turn(): Promise<void>;
}

/** Values are PostgreSQL's own text in both directions: the driver's parsing would round numbers. */
const asText = { serialize: (value: unknown) => value, parse: (value: unknown) => value };
const TYPES = {
  string: { to: 25, from: [25], ...asText },
  number: { to: 0, from: [21, 23, 26, 700, 701], ...asText },
  json: { to: 114, from: [114, 3802], ...asText },
  boolean: { to: 16, from: [16], ...asText },
  date: { to: 1184, from: [1082, 1114, 1184], ...asText },
  bytea: { to: 17, from: [17], ...asText },
};

/** The format of a call's values, whatever the tenant has set for their role; `DISCARD ALL` restores it. */
const FORMAT = {
  search_path: "public",
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  // A statement whose client process has died ends by itself, unless the statement has turned that off.
  client_connection_check_interval: "1s",
};

const ERROR = "E".charCodeAt(0);
/** Not if the whole server stops: then a backend reports it from another place. */
const isEnd = (fault: Buffer) => fault.includes("\0C57P01\0") && fault.includes("\0RProcessInterrupts\0");

/** Watches incoming messages, and breaks the connection before a larger one is buffered in memory. */
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

/** Returns a socket that discards writes and breaks. */
function brokenSocket(): Duplex {
  const lost = Object.assign(new Error("The connection was lost."), { code: "ECONNRESET" });
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  setImmediate(() => socket.destroy(lost));
  return socket;
}

/** Opens a connection, which ends when the cluster falls silent; messages of more than `mostBytes` are refused. */
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
      // The driver would continue in another session, outside the transaction, and its commit would commit nothing.
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
      inTransaction: false,
      refusedBytes: () => refused,
      wasEnded: () => ended,
      isWhole: () => opened === 1 && !ended && socket?.destroyed === false,
      pause: () => void socket?.pause(),
      resume: () => void socket?.resume(),
      breakOff,
      turn: async () => undefined,
    };
  } catch (reason) {
    void sql.end({ timeout: 0 }).catch(() => undefined);
    throw reason;
  }
}
