export type Level = "debug" | "info" | "warn" | "error";
export type Fields = Record<string, unknown>;

const colours: Record<Level, number> = { debug: 90, info: 36, warn: 33, error: 31 };
const secretShapes = /\b(svc_live_|svc_credit_|whsec_)[A-Za-z0-9+/=_-]+/g;
// The password of an address, as in postgres://user:password@host.
const urlPassword = /(\w:\/\/[^\s:/@"]*:)[^\s@/"]+@/g;

/** Blanks what has the shape of a secret: the last defence, should one reach a log line after all. */
export function redact(text: string) {
  return text.replace(secretShapes, "$1[redacted]").replace(urlPassword, "$1[redacted]@");
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (!(value instanceof Error)) return value;
  const { code } = value as { code?: unknown };
  return { name: value.name, message: value.message, code, stack: value.stack, cause: value.cause };
}

function pretty(level: Level, message: string, fields: Fields) {
  const { error, ...rest } = fields;
  const trouble =
    error instanceof Error ? `\n${error.stack ?? error}` : error === undefined ? "" : ` ${String(error)}`;
  const values = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value, plain)}`,
  );
  return `\x1b[${colours[level]}m${level.padEnd(5)}\x1b[0m ${message}${values.join("")}${trouble}`;
}

function write(level: Level, message: string, fields: Fields = {}) {
  const line = process.stderr.isTTY
    ? pretty(level, message, fields)
    : JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, plain);
  process.stderr.write(`${redact(line)}\n`);
}

/** The process's log: one JSON object a line on standard error, or plain lines on a terminal. */
export const log = {
  debug: (message: string, fields?: Fields) => write("debug", message, fields),
  info: (message: string, fields?: Fields) => write("info", message, fields),
  warn: (message: string, fields?: Fields) => write("warn", message, fields),
  error: (message: string, fields?: Fields) => write("error", message, fields),
};
