import type { Run, RunTimelineEntry, WrittenText } from "../../../typescript/src/index.ts";
import { type Arguments, formatOf, optionsOf } from "../arguments.ts";
import { signatureOf } from "../commands.ts";
import { EXIT, UsageError } from "../failure.ts";
import { argumentsOf, call } from "../operation.ts";
import { plainText, print, printOne, say } from "../output.ts";
import type { OwnCommand } from "../own-command.ts";
import { openSession } from "../session.ts";

/** Prints a run's timeline and, with `--follow`, its new entries. */
export const runLogs: OwnCommand = {
  words: [
    ["runs", "logs"],
    ["runs", "follow"],
  ],
  usage: "RUN [--follow]",
  summary: "Show what a run has done; with --follow until it ends",
  about: {
    "-f, --follow":
      "waits for what comes, and shows what models write; exit code 1 where the run has not succeeded",
  },
  options: () => ({ follow: { type: "boolean", short: "f" } }),
  async run(given) {
    const [id, ...more] = given.positionals;
    if (id === undefined || more.length > 0) throw new UsageError("Name one run: msp runs logs RUN.");
    const { platform } = await openSession(given);
    const asJson = formatOf(given) === "json";
    const writing = asJson ? null : new Writing();
    const show = (entry: RunTimelineEntry) =>
      print(asJson ? `${JSON.stringify(entry)}\n` : `${writing?.end() ?? ""}${lineOf(entry)}`);
    if (!given.values.follow) {
      for (const entry of (await platform.runs.read(id)).timeline) show(entry);
      return;
    }
    const entries = platform.runs.follow(id, {
      ...(writing && { onOutput: (written) => print(writing.add(written)) }),
    });
    for (;;) {
      const { done, value } = await entries.next();
      if (done) {
        print(writing?.end() ?? "");
        return conclude(value as Run);
      }
      show(value as RunTimelineEntry);
    }
  },
};

/** Interleaves the text that models write during a followed run with the lines of its timeline. */
class Writing {
  #step: string | null = null;
  #written = 0;

  /** Returns the text for the terminal, below the name of its step if another step wrote before. */
  add({ step, offset, text }: WrittenText): string {
    const goesOn = step === this.#step && offset === this.#written;
    const begin = goesOn ? "" : `${this.end()}${plainText(step)} writes:\n`;
    this.#step = step;
    this.#written = offset + text.length;
    return begin + text.split("\n").map(plainText).join("\n");
  }

  /** Ends the current line. */
  end(): string {
    const begun = this.#step !== null;
    this.#step = null;
    return begun ? "\n" : "";
  }
}

function lineOf({ at, level, step, message }: RunTimelineEntry): string {
  const where = step === null ? "" : ` ${step}:`;
  return `${at.slice(11, 23)} ${level === "info" ? "" : `${level.toUpperCase()} `}${plainText(`${where} ${message}`.trim())}\n`;
}

/** Fails the command that waited for a run unless the run succeeded. */
function conclude({ id, status, error }: Run): void {
  if (status === "succeeded") return;
  say(`error: Run ${id} is ${status}${error ? `: ${plainText(error.message)}` : "."}`);
  process.exitCode = EXIT.failed;
}

/** `runs create`, which can wait for the run's end. */
export const createRun: OwnCommand = {
  words: [["runs", "create"]],
  usage: "--service-id ID --operation-id ID --input JSON [--wait]",
  summary: "Create a run; with --wait, until it ends",
  operation: "runs.create",
  about: { "--wait": "answers the run as it has ended; exit code 1 where it has not succeeded" },
  options: () => ({ ...optionsOf(signatureOf("runs.create")), wait: { type: "boolean" } }),
  async run(given: Arguments) {
    const signature = signatureOf("runs.create");
    const session = await openSession(given);
    const created = (await call(session, signature, await argumentsOf(given, signature), given)) as Run;
    if (!given.values.wait) return printOne(created, formatOf(given));
    const run = await session.platform.runs.wait(created.id);
    printOne(run, formatOf(given));
    conclude(run);
  },
};
