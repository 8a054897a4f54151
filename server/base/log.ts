export type Level = "debug" | "info" | "warn" | "error";

/** The names of a line's fields beside `time`, `level` and `message`; docs/operating.md explains them. */
export const FIELD_NAMES = [
  "requestId",
  "runId",
  "accountId",
  "webhookId",
  "triggerId",
  "transferId",
  "walletId",
  "transactionId",
  "orderId",
  "routeId",
  "paymentId",
  "serviceId",
  "operationId",
  "upstreamRequestId",
  "error",
  "code",
  "reason",
  "query",
  "body",
  "status",
  "transport",
  "durationMs",
  "method",
  "path",
  "route",
  "ip",
  "network",
  "chainId",
  "hash",
  "asset",
  "nonces",
  "found",
  "fromBlock",
  "toBlock",
  "credits",
  "reversed",
  "cluster",
  "host",
  "pid",
  "application",
  "state",
  "seconds",
  "open",
  "openOfAll",
  "openElsewhere",
  "idleOfAll",
  "mostOfAll",
  "isApplied",
  "part",
  "processes",
  "signal",
  "failures",
  "attempt",
  "pauseMs",
  "stopMs",
  "file",
  "blobKey",
  "month",
  "index",
  "client",
  "subject",
] as const;
export type LogFields = { [Name in (typeof FIELD_NAMES)[number]]?: unknown };

const colours: Record<Level, number> = { debug: 90, info: 36, warn: 33, error: 31 };
const secretShapes = /\b(svc_live_|svc_credit_|svc_oat_|svc_ort_|svc_ocs_|whsec_)[A-Za-z0-9+/=_-]+/g;
// Matches the password in an address such as postgres://user:password@host.
const urlPassword = /(\w:\/\/[^\s:/@"]*:)[^\s@/"]+@/g;

/** Masks text that looks like a secret: the last defence if one reaches a log line. */
export function redact(text: string) {
  return text.replace(secretShapes, "$1[redacted]").replace(urlPassword, "$1[redacted]@");
}

/** The maximum length of a line. */
const MAX_CHARACTERS = 4000;
const MAX_OF_TEXT = 500;
const MAX_CAUSES = 3;
const MAX_FRAMES = 5;

const shortened = (text: string, most = MAX_OF_TEXT) =>
  text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;

/** Returns the stack frames within the platform's own files; frames of libraries are left out. */
function framesOf({ stack = "" }: Error): string[] {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames
    .filter((line) => !/node_modules|node:/.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}

/** Returns the text of a cause that is no error, such as the error object of a JSON-RPC response. */
function textOf(cause: unknown): string {
  const isObject = typeof cause === "object" && cause !== null;
  return isObject && "message" in cause ? String(cause.message) : String(cause);
}

/**
 * Returns the log fields of an error. Its first line is logged always; frames are added for errors without a code,
 * which are defects. Errors of the database, of sockets and of the platform have a code.
 */
function fieldsOf(error: Error, depth = 0): Record<string, unknown> {
  const { name, cause, code, shortMessage, query } = error as Error & Record<string, unknown>;
  // Drizzle's error repeats the query's values, which belong to the customer.
  const ofQuery = typeof query === "string" && "params" in error;
  const message = ofQuery ? "A query failed." : String(shortMessage ?? error.message).split("\n", 1)[0];
  const known = code !== undefined || shortMessage !== undefined || ofQuery;
  return {
    name,
    message: shortened(message ?? ""),
    ...(code !== undefined && { code }),
    ...(ofQuery && { query: shortened(query) }),
    ...(!known && { at: framesOf(error) }),
    ...(cause !== undefined &&
      depth < MAX_CAUSES && {
        cause: cause instanceof Error ? fieldsOf(cause, depth + 1) : shortened(textOf(cause)),
      }),
  };
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string") return shortened(value, 2 * MAX_OF_TEXT);
  return value instanceof Error ? fieldsOf(value) : value;
}

/** Returns the line as JSON; if it is too long, its values are shortened. */
function structured(level: Level, message: string, fields: LogFields): string {
  const time = new Date().toISOString();
  const line = JSON.stringify({ time, level, message, ...fields }, plain);
  if (line.length <= MAX_CHARACTERS) return line;
  const short = Object.entries(fields).map(([name, value]) => {
    const text = JSON.stringify(value, plain) ?? "";
    return [name, text.length <= MAX_OF_TEXT ? value : shortened(text, MAX_OF_TEXT / 2)] as const;
  });
  const again = JSON.stringify(
    { time, level, message: shortened(message), ...Object.fromEntries(short) },
    plain,
  );
  return again.length <= MAX_CHARACTERS
    ? again
    : JSON.stringify({ time, level, message: shortened(message), shortened: again.length });
}

function pretty(level: Level, message: string, fields: LogFields) {
  const { error, ...rest } = fields;
  const trouble =
    error instanceof Error ? `\n${error.stack ?? error}` : error === undefined ? "" : ` ${String(error)}`;
  const values = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value, plain)}`,
  );
  return `\x1b[${colours[level]}m${level.padEnd(5)}\x1b[0m ${message}${values.join("")}${trouble}`;
}

function write(level: Level, message: string, fields: LogFields = {}) {
  const line = process.stderr.isTTY ? pretty(level, message, fields) : structured(level, message, fields);
  process.stderr.write(`${redact(line)}\n`);
}

/** The process's log: one JSON object a line on standard error, or plain lines on a terminal. */
export const log = {
  debug: (message: string, fields?: LogFields) => write("debug", message, fields),
  info: (message: string, fields?: LogFields) => write("info", message, fields),
  warn: (message: string, fields?: LogFields) => write("warn", message, fields),
  error: (message: string, fields?: LogFields) => write("error", message, fields),
};
