import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import type { Call, CallOptions, Download, List, Page } from "../../typescript/src/index.ts";
import { type Arguments, formatOf, inputOf, optionsOf, readArguments, textOf } from "./arguments.ts";
import { kebab, type Signature, signatureOf } from "./commands.ts";
import { UsageError } from "./failure.ts";
import { helpOfOperation } from "./help.ts";
import { print, printBytes, printOne, printRows, say } from "./output.ts";
import { openSession, type Session } from "./session.ts";

type Method = (...args: unknown[]) => unknown;

let sent: string | null = null;
/** Returns the idempotency key of the write that was sent; null if none was. */
export const sentKey = () => sent;

/** Executes the command of an operation. */
export async function callOperation(id: string, words: number, args: readonly string[]): Promise<void> {
  const signature = signatureOf(id);
  const given = readArguments(args, optionsOf(signature));
  if (given.values.help) return helpOfOperation(signature);
  given.positionals.splice(0, words);
  const session = await openSession(given, { optional: signature.command.public === true });
  const called = call(session, signature, await argumentsOf(given, signature), given);
  if (signature.stream) return printStream(called as AsyncIterable<unknown>);
  if (signature.file === "target") return save(called as Download, given.positionals[signature.ids.length]);
  if (signature.pages) return printList(called as List<Record<string, unknown>>, given);
  printOne((await (called as Call<unknown>)) ?? {}, formatOf(given));
}

/**
 * Returns the arguments of the SDK's method: ids, a source, and the input. Asks first if something would be destroyed.
 */
export async function argumentsOf(given: Arguments, signature: Signature): Promise<unknown[]> {
  const { ids, file, command, body } = signature;
  const { positionals } = given;
  const wanted = [...ids.map((id) => kebab(id).toUpperCase()), ...(file === "source" ? ["FILE"] : [])];
  if (positionals.length < wanted.length)
    throw new UsageError(`Missing: ${wanted.slice(positionals.length).join(" ")}.`);
  const most = wanted.length + (file === "target" ? 1 : 0);
  if (positionals.length > most) throw new UsageError(`${positionals[most]} is one argument too many.`);
  const input = inputOf(given, signature);
  const source = positionals[ids.length] as string;
  if (file === "source") await stat(source).catch((cause) => refuseFile(source, cause));
  if (command.destructive) await confirm(given, `${command.summary} ${positionals.join(" ")}`.trim());
  const takesInput = body || file === "source" || Object.keys(command.fields).length > 0;
  return [
    ...positionals.slice(0, ids.length),
    ...(file === "source" ? [source] : []),
    ...(takesInput ? [file === "source" ? { ...input, name: input.name ?? baseName(source) } : input] : []),
  ];
}

const baseName = (path: string) => path.split(/[\\/]/).at(-1);

function refuseFile(path: string, cause: Error): never {
  throw new UsageError(`${path} can't be read: ${cause.message}.`);
}

/** Calls the SDK's method of an operation. A write gets an idempotency key that its failure can name. */
export function call(
  { platform }: Session,
  { id, idempotent }: Signature,
  args: unknown[],
  given: Arguments,
) {
  const path = id.split(".");
  const owner = path.slice(0, -1).reduce<unknown>((node, name) => Object(node)[name], platform);
  const method = Object(owner)[path.at(-1) ?? ""] as Method;
  const options: CallOptions = {};
  if (idempotent) {
    sent = textOf(given, "idempotency-key") ?? `msp_${randomUUID()}`;
    options.idempotencyKey = sent;
  }
  return method.call(owner, ...args, options);
}

/** Asks the person before something is destroyed; programs are not asked. */
export async function confirm(given: Arguments, what: string): Promise<void> {
  if (given.values.yes || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${what}? Type yes: `);
  terminal.close();
  if (answer.trim().toLowerCase() !== "yes") throw new UsageError("Nothing was done.");
}

async function printList(list: List<Record<string, unknown>>, given: Arguments): Promise<void> {
  const format = formatOf(given);
  const all = given.values.all === true;
  let page: Page<Record<string, unknown>> | null = await list;
  if (!all || format !== "json") {
    const rows = [...page.items];
    while (all && page) {
      page = await page.next();
      rows.push(...(page?.items ?? []));
    }
    printRows(rows, format);
    if (format === "table" && rows.length === 0) say("None.");
    if (page?.nextCursor) say(`There are more: --all, or --cursor ${page.nextCursor}`);
    return;
  }
  for (; page; page = await page.next()) printRows(page.items, format);
}

async function printStream(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) print(`${JSON.stringify(event)}\n`);
}

async function save(download: Download, path: string | undefined): Promise<void> {
  if (path === undefined && process.stdout.isTTY)
    throw new UsageError("Name a file to write, or send the bytes on with a pipe.");
  if (path === undefined) await printBytes(download);
  else {
    const { size, sha256 } = await download.toFile(path);
    say(`${path}: ${size} bytes, SHA-256 ${sha256}`);
  }
}
