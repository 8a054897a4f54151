import { readFileSync } from "node:fs";
import type { Field } from "./command.ts";
import { commandsBelow, kebab, type Signature, signatureOf, WORDS } from "./commands.ts";
import { UsageError } from "./failure.ts";
import { print } from "./output.ts";
import type { OwnCommand } from "./own-command.ts";

/** Returns this package's version, which is that of the installation it was downloaded from. */
export function ownVersion(): string {
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

export function version(): void {
  print(`${ownVersion()}\n`);
}

/** Formats two columns, aligned by the widest left cell. */
function columns(lines: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(0, ...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join("\n");
}

const section = (title: string, text: string) => (text ? `\n${title}\n${text}\n` : "");

type Line = readonly [left: string, right: string];

const EVERYWHERE: readonly Line[] = [
  ["--profile NAME", "another sign-in than `default`"],
  ["--base-url URL", "another installation than the profile's; PLATFORM_URL too"],
  ["--project ID", "the project to act in"],
  ["--for-end-user ID", "the one of your users to act for"],
  [
    "-o, --output FORMAT",
    "table, json or csv; a table on a terminal, else JSON, a line each. With json failures are JSON too",
  ],
];

/** Prints help on all commands, or on those that begin with the words. */
export function help(words: readonly string[], own: readonly OwnCommand[]): void {
  const lines = own
    .filter((one) => words.every((word, nth) => one.words[0]?.[nth] === word))
    .map((one): Line => [`msp ${spelled(one)} ${one.usage}`.trim(), one.summary]);
  if (words.length === 0) overview(lines);
  else if (WORDS.has(words.map(kebab).join(" "))) helpOfOperation(signatureOf(idOf(words)));
  else {
    const operations = commandsBelow(words).map(([, id]): Line => {
      const signature = signatureOf(id);
      return [`msp ${usageOf(signature)}`, signature.command.summary];
    });
    if (lines.length + operations.length === 0)
      throw new UsageError(`There is no command ${words.join(" ")}.`);
    print(`${columns([...lines, ...operations])}\n`);
  }
}

const idOf = (words: readonly string[]) => WORDS.get(words.map(kebab).join(" ")) as string;

function overview(own: readonly Line[]): void {
  const resources = [...new Set([...WORDS.keys()].map((command) => command.split(" ")[0] ?? ""))];
  print("The command line of the managed services platform.\n");
  print(section("Commands", columns(own)));
  print(
    section(
      "Every operation: msp RESOURCE VERB [IDS] [--field VALUE]",
      `  ${resources.join(", ")}\n\n  msp help RESOURCE lists its commands, --help after a command its fields.`,
    ),
  );
  print(section("Options", columns(EVERYWHERE)));
  print(section("Environment", ENVIRONMENT));
  print(section("Exit codes", EXIT_CODES));
}

const ENVIRONMENT = columns([
  ["PLATFORM_API_KEY", "a key, instead of a sign-in"],
  ["PLATFORM_URL", "the installation"],
  ["PLATFORM_PROFILE", "the profile"],
]);
const EXIT_CODES = columns([
  ["0, 1", "done, failed"],
  ["2", "the command is wrong, or what it says"],
  ["3", "not signed in"],
  ["4", "refused"],
  ["5", "a limit is exhausted"],
  ["6", "whether anything happened is not known"],
]);

const spelled = ({ words }: OwnCommand) => (words[0] ?? []).join(" ");

/** Prints help on one of this program's own commands. */
export function helpOf(command: OwnCommand): void {
  if (command.operation) {
    helpOfOperation(signatureOf(command.operation), Object.entries(command.about ?? {}));
    return;
  }
  print(`msp ${spelled(command)} ${command.usage}\n\n${command.summary}.\n`);
  print(section("Options", columns([...Object.entries(command.about ?? {}), ...EVERYWHERE])));
}

/** `projects read PROJECT-ID`. */
function usageOf({ id, ids, file, command }: Signature): string {
  const needed = Object.entries(command.fields).filter(([, { required }]) => required);
  return [
    id.split(".").map(kebab).join(" "),
    ...ids.map((name) => kebab(name).toUpperCase()),
    ...(file === null ? [] : [file === "source" ? "FILE" : "[FILE]"]),
    ...needed.map(([name, field]) => `--${kebab(name)} ${placeholder(field)}`.trim()),
  ].join(" ");
}

function placeholder({ kind, choices }: Field): string {
  if (kind === "flag") return "";
  if (choices && choices.length <= 6) return choices.join("|");
  return { number: "NUMBER", json: "JSON", texts: "TEXT …" }[kind] ?? "TEXT";
}

/** Prints help on the command of an operation. */
export function helpOfOperation(signature: Signature, own: readonly Line[] = []): void {
  const { command, id, body, pages, idempotent } = signature;
  print(`msp ${usageOf(signature)}\n\n${command.summary}.`);
  print(command.scope ? ` Needs the scope ${command.scope}.\n` : "\n");
  const fields = Object.entries(command.fields).map(
    ([name, field]) =>
      [
        `--${kebab(name)} ${placeholder(field)}`.trim(),
        `${field.about ?? ""}${field.required ? " Needed." : ""}${field.nullable ? " May be null." : ""}`.trim(),
      ] as const,
  );
  print(section("Fields", columns(fields)));
  const more = columns([
    ...own,
    ...(body ? [["--json FILE", "a JSON object with fields; - is standard input"] as const] : []),
    ...(pages ? [["--all", "every page"] as const] : []),
    ...(idempotent ? [["--idempotency-key KEY", "repeats an earlier call"] as const] : []),
    ...(command.destructive ? [["--yes", "does not ask"] as const] : []),
    ...EVERYWHERE,
  ]);
  print(section("Options", more));
  print("\nJSON is written as it is, or as @FILE. A field of several texts is said once for each.\n");
  print(`Reference: /docs/${id} of your installation.\n`);
}
