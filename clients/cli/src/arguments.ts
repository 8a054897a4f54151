import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Field, kebab, type Signature } from "./commands.ts";
import { UsageError } from "./failure.ts";
import type { Format } from "./output.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** What every command takes. */
export const GLOBAL = {
  profile: { type: "string" },
  "base-url": { type: "string" },
  project: { type: "string" },
  "for-end-user": { type: "string" },
  output: { type: "string", short: "o" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies Options;

/** What the commands of operations take beside their fields. */
export const OF_OPERATIONS = {
  body: { type: "string" },
  "idempotency-key": { type: "string" },
  all: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
} as const satisfies Options;

/** A command line that was read. */
export interface Arguments {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
}

/** The option's text; undefined where it was not given. */
export function textOf({ values }: Arguments, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** The words before the first option: they name the command. */
export function wordsOf(args: readonly string[]): string[] {
  const { tokens } = parseArgs({ args: [...args], options: GLOBAL, strict: false, tokens: true });
  const words: string[] = [];
  for (const token of tokens ?? []) {
    if (token.kind === "positional") words.push(token.value);
    // What follows an option that is not of every command may be its value.
    else if (token.kind === "option" && !(token.name in GLOBAL)) break;
  }
  return words;
}

/** Reads a command line; what is unknown is named. */
export function readArguments(args: readonly string[], options: Options): Arguments {
  const spelled = args.map((arg) => arg.replace(/^--[a-z][A-Za-z0-9-]*/, kebab));
  try {
    return parseArgs({
      args: spelled,
      options: { ...GLOBAL, ...options },
      allowPositionals: true,
      allowNegative: true,
    }) as Arguments;
  } catch (cause) {
    const [message = ""] = (cause as Error).message.split(". To specify");
    throw new UsageError(message.endsWith(".") ? message : `${message}.`);
  }
}

/** How answers are written: as a person has said, a table on a terminal, else JSON. */
export function formatOf(given: Arguments): Format {
  const output = textOf(given, "output");
  if (given.values.json) return "json";
  if (output === undefined) return process.stdout.isTTY ? "table" : "json";
  if (output === "table" || output === "json" || output === "csv") return output;
  throw new UsageError(`--output ${output} is none of table, json, csv.`);
}

/** The options of an operation's fields. */
export function optionsOf({ command, idempotent, pages, body }: Signature): Options {
  const fields = Object.entries(command.fields).map(([name, { kind }]) => [
    kebab(name),
    { type: kind === "flag" ? "boolean" : "string", ...(kind === "texts" && { multiple: true }) },
  ]);
  const { body: file, "idempotency-key": key, all, yes } = OF_OPERATIONS;
  return {
    ...Object.fromEntries(fields),
    ...(body && { body: file }),
    ...(idempotent && { "idempotency-key": key }),
    ...(pages && { all }),
    yes,
  };
}

/** The input of an operation: the body's file, and what the fields say over it. */
export function inputOf(given: Arguments, { command, body }: Signature): Record<string, unknown> {
  const file = body ? textOf(given, "body") : undefined;
  const input: Record<string, unknown> = file === undefined ? {} : bodyOf(file);
  for (const [name, field] of Object.entries(command.fields)) {
    const value = given.values[kebab(name)];
    if (value !== undefined) input[name] = writtenValue(name, field, value);
  }
  const missing = Object.entries(command.fields).filter(
    ([name, { required }]) => required && input[name] === undefined,
  );
  if (missing.length > 0)
    throw new UsageError(`Missing: ${missing.map(([name]) => `--${kebab(name)}`).join(", ")}.`);
  return input;
}

function bodyOf(file: string): Record<string, unknown> {
  const value = jsonOf(`--body ${file}`, readText(file));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`--body ${file} is no JSON object.`);
  return { ...value };
}

function writtenValue(name: string, field: Field, value: unknown): unknown {
  const option = `--${kebab(name)}`;
  if (field.kind === "flag") return value;
  if (field.kind === "texts")
    return (value as string[]).flatMap((one) => (one.startsWith("[") ? (jsonOf(option, one) as []) : one));
  const text = value as string;
  if (field.nullable && text === "null") return null;
  if (field.kind === "number") {
    const number = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(number)) throw new UsageError(`${option} ${text} is no number.`);
    return number;
  }
  if (field.kind === "text") return text;
  return jsonOf(option, text.startsWith("@") ? readText(text.slice(1)) : text);
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new UsageError(`${file} can't be read: ${(cause as Error).message}.`);
  }
}

function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is no JSON. A text needs quotes within: '"text"'.`);
  }
}
