import { asksForJson, readArguments, wordsOf } from "./arguments.ts";
import { database } from "./commands/database.ts";
import { doctor } from "./commands/doctor.ts";
import { downloadFile, uploadFiles } from "./commands/files.ts";
import { createKey } from "./commands/keys.ts";
import { login, logout, whoami } from "./commands/login.ts";
import { createRun, runLogs } from "./commands/runs.ts";
import { listenToWebhooks } from "./commands/webhooks.ts";
import { commandsBelow, findOperation } from "./commands.ts";
import { failureOf, UsageError } from "./failure.ts";
import { help, helpOf, version } from "./help.ts";
import { callOperation, sentKey } from "./operation.ts";
import { say } from "./output.ts";
import type { OwnCommand } from "./own-command.ts";

/** The commands that are not exactly one operation. */
const OWN: readonly OwnCommand[] = [
  login,
  logout,
  whoami,
  doctor,
  database,
  uploadFiles,
  downloadFile,
  runLogs,
  createRun,
  createKey,
  listenToWebhooks,
];

/** Executes a command line; returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await dispatch(args);
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    const failure = failureOf(error, sentKey());
    if (asksForJson(args)) say(JSON.stringify({ error: failure.fields }));
    else
      for (const line of [`error: ${failure.message}`, ...failure.hints.map((hint) => `  ${hint}`)])
        say(line);
    return failure.exit;
  }
}

async function dispatch(args: readonly string[]): Promise<void> {
  const words = wordsOf(args);
  if (words.length === 0 && args.includes("--version")) return version();
  if (words.length === 0) return help([], OWN);
  if (words[0] === "help") return help(words.slice(1), OWN);
  const own = OWN.find((one) => one.words.some((spelled) => startsWith(words, spelled)));
  if (own) {
    const length = own.words.find((spelled) => startsWith(words, spelled))?.length ?? 0;
    const given = readArguments(args, own.options());
    if (given.values.help) return helpOf(own);
    given.positionals.splice(0, length);
    return own.run(given);
  }
  const operation = findOperation(words);
  if (operation) return callOperation(operation.id, operation.length, args);
  if (commandsBelow(words).length > 0) return help(words, OWN);
  const [first = ""] = words;
  throw commandsBelow([first]).length > 0
    ? new UsageError(`${first} has no ${words[1]}.`, `msp help ${first} lists what it has.`)
    : new UsageError(`There is no command ${first}.`);
}

function startsWith(words: readonly string[], spelled: readonly string[]): boolean {
  return spelled.every((word, nth) => words[nth] === word);
}
