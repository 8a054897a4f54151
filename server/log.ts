export type Level = "debug" | "info" | "warn" | "error";
export type Fields = Record<string, unknown>;

const colours: Record<Level, number> = { debug: 90, info: 36, warn: 33, error: 31 };
const secretShapes = /\b(svc_live_|svc_credit_|svc_oat_|svc_ort_|svc_ocs_|whsec_)[A-Za-z0-9+/=_-]+/g;
// The password of an address, as in postgres://user:password@host.
const urlPassword = /(\w:\/\/[^\s:/@"]*:)[^\s@/"]+@/g;

/** Blanks what has the shape of a secret: the last defence, should one reach a log line after all. */
export function redact(text: string) {
  return text.replace(secretShapes, "$1[redacted]").replace(urlPassword, "$1[redacted]@");
}

/** A line is no longer than this, whatever it is to say. */
const MOST_CHARACTERS = 4000;
const MOST_OF_TEXT = 500;
const MOST_CAUSES = 3;
const MOST_FRAMES = 5;

const shortened = (text: string, most = MOST_OF_TEXT) =>
  text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;

/** Where an error was made, in files of ours: what libraries did around that is in none. */
function framesOf({ stack = "" }: Error): string[] {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames
    .filter((line) => !/node_modules|node:/.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.trim());
}

/**
 * What an error says, in its first line. One with a code, as the database, sockets and our own errors have, is known by
 * that; of others, which are defects, follows where they were made.
 */
function factsOf(error: Error, depth = 0): Fields {
  const { name, cause, code, shortMessage, query } = error as Error & Record<string, unknown>;
  // Drizzle's error repeats the values of the query; they are the customer's.
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
      depth < MOST_CAUSES && {
        cause: cause instanceof Error ? factsOf(cause, depth + 1) : shortened(String(cause)),
      }),
  };
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string") return shortened(value, 2 * MOST_OF_TEXT);
  return value instanceof Error ? factsOf(value) : value;
}

/** The line as JSON; one that is too long keeps what it is about. */
function structured(level: Level, message: string, fields: Fields): string {
  const time = new Date().toISOString();
  const line = JSON.stringify({ time, level, message, ...fields }, plain);
  if (line.length <= MOST_CHARACTERS) return line;
  const short = Object.entries(fields).map(([name, value]) => {
    const text = JSON.stringify(value, plain) ?? "";
    return [name, text.length <= MOST_OF_TEXT ? value : shortened(text, MOST_OF_TEXT / 2)] as const;
  });
  const again = JSON.stringify(
    { time, level, message: shortened(message), ...Object.fromEntries(short) },
    plain,
  );
  return again.length <= MOST_CHARACTERS
    ? again
    : JSON.stringify({ time, level, message: shortened(message), shortened: again.length });
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
  const line = process.stderr.isTTY ? pretty(level, message, fields) : structured(level, message, fields);
  process.stderr.write(`${redact(line)}\n`);
}

/** The process's log: one JSON object a line on standard error, or plain lines on a terminal. */
export const log = {
  debug: (message: string, fields?: Fields) => write("debug", message, fields),
  info: (message: string, fields?: Fields) => write("info", message, fields),
  warn: (message: string, fields?: Fields) => write("warn", message, fields),
  error: (message: string, fields?: Fields) => write("error", message, fields),
};
