import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Field } from "./command.ts";
import { kebab, type Signature } from "./commands.ts";
import { messageOf, UsageError } from "./failure.ts";
import type { Format } from "./output.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options of every command. */
export const GLOBAL = {
  profile: { type: "string" },
  "base-url": { type: "string" },
  project: { type: "string" },
  "for-end-user": { type: "string" },
  output: { type: "string", short: "o" },
  help: { type: "boolean", short: "h" },
} as const satisfies Options;

/** The options of all commands of operations, beside their fields. */
export const OF_OPERATIONS = {
  json: { type: "string" },
  // The former name of `--json`.
  body: { type: "string" },
  "idempotency-key": { type: "string" },
  all: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
} as const satisfies Options;

/** A parsed command line. */
export interface Arguments {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
}

/** Returns an option's text; undefined if it was not given. */
export function textOf({ values }: Arguments, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the words before the first option, which name the command. */
export function wordsOf(args: readonly string[]): string[] {
  const { tokens } = parseArgs({ args: [...args], options: GLOBAL, strict: false, tokens: true });
  const words: string[] = [];
  for (const token of tokens ?? []) {
    if (token.kind === "positional") words.push(token.value);
    // The word after an option that not every command has may be its value.
    else if (token.kind === "option" && !(token.name in GLOBAL)) break;
  }
  return words;
}

/** Parses a command line; an unknown option is named in the error. */
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
    const [message = ""] = messageOf(cause).split(". To specify");
    if (message.includes("'--json"))
      throw new UsageError("--json takes a file, for operations with a body; --output json writes JSON.");
    throw new UsageError(message.endsWith(".") ? message : `${message}.`);
  }
}

/** Returns the output format: the requested one, otherwise a table on a terminal and JSON elsewhere. */
export function formatOf(given: Arguments): Format {
  const output = textOf(given, "output");
  if (output === undefined) return process.stdout.isTTY ? "table" : "json";
  if (output === "table" || output === "json" || output === "csv") return output;
  throw new UsageError(`--output ${output} is none of table, json, csv.`);
}

/** True if the command line requests JSON explicitly: then failures are JSON too. */
export function asksForJson(args: readonly string[]): boolean {
  const { values } = parseArgs({ args: [...args], options: GLOBAL, strict: false });
  return values.output === "json";
}

/** Returns the options for an operation's fields. */
export function optionsOf({ command, idempotent, pages, body }: Signature): Options {
  const fields = Object.entries(command.fields).map(([name, { kind }]) => [
    kebab(name),
    { type: kind === "flag" ? "boolean" : "string", ...(kind === "texts" && { multiple: true }) },
  ]);
  const { json, body: earlier, "idempotency-key": key, all, yes } = OF_OPERATIONS;
  return {
    ...Object.fromEntries(fields),
    ...(body && { json, body: earlier }),
    ...(idempotent && { "idempotency-key": key }),
    ...(pages && { all }),
    yes,
  };
}

/** Returns an operation's input: the JSON of the body's file, overridden by the options of fields. */
export function inputOf(given: Arguments, { command, body }: Signature): Record<string, unknown> {
  const name = textOf(given, "json") === undefined ? "body" : "json";
  const file = body ? textOf(given, name) : undefined;
  const input: Record<string, unknown> = file === undefined ? {} : bodyOf(`--${name} ${file}`, file);
  for (const [field, about] of Object.entries(command.fields)) {
    const value = given.values[kebab(field)];
    if (value !== undefined) input[field] = writtenValue(field, about, value);
  }
  const missing = Object.entries(command.fields).filter(
    ([name, { required }]) => required && input[name] === undefined,
  );
  if (missing.length > 0)
    throw new UsageError(`Missing: ${missing.map(([name]) => `--${kebab(name)}`).join(", ")}.`);
  return input;
}

function bodyOf(option: string, file: string): Record<string, unknown> {
  const value = jsonOf(option, readText(file));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${option} is no JSON object.`);
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
    throw new UsageError(`${file} can't be read: ${messageOf(cause)}.`);
  }
}

function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is no JSON. A text needs quotes within: '"text"'.`);
  }
}
