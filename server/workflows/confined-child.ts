import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { ApiError } from "#server/operation/errors.ts";
import { readLines } from "./read-lines.ts";
import { WORKFLOW_LIMITS } from "./schema.ts";

/** How the process ended before it answered; `killed` is by anybody but the platform. */
type Ending = "timed_out" | "out_of_memory" | "killed";

type Answered = { line: string; ending?: undefined } | { line?: undefined; ending: Ending };

/** A process that does what customers have written, one task at a time. */
export interface ConfinedChild {
  /** Whether it has done nothing yet. */
  fresh: boolean;
  /** Whether it takes tasks no more. */
  ended: boolean;
  ask(task: string, milliseconds: number): Promise<Answered>;
}

/** A program that runs confined: where it lies, and what it may read and do. */
export interface ConfinedProgram {
  /** What it does, for messages: "evaluates expressions". */
  does: string;
  /** Its file in this folder. */
  file: string;
  /** Files and folders that it may read beside this folder. */
  reads(): string[];
  flags: readonly string[];
}

/** The most that V8's heap holds. */
export const HEAP_MEGABYTES = 96;
/** The most that the kernel gives, including 512 MB of address space that V8 sets aside for compiled code. */
const DATA_KILOBYTES = 800 * 1024;
/** The longest that a start is waited for. */
const START_MILLISECONDS = 30_000;

/** The most that a process answers, value and frame. */
const MAXIMUM_CHARACTERS = WORKFLOW_LIMITS.maximumOutputBytes;

const { SIGKILL, SIGTERM } = constants.signals;
const HERE = import.meta.dirname;
const PARSERS = ["operation/json-text.ts", "operation/exact-numbers.ts", "defined.ts"].map((file) =>
  join(HERE, "..", file),
);

/** The folder of a package. Found when it is needed: Next.js bundles this module too, and knows no path of a package. */
const folderOf = (file: string) => dirname(createRequire(import.meta.url).resolve(file));

/** Code that broke out of JSONata could compile no code either. */
export const EXPRESSIONS: ConfinedProgram = {
  does: "evaluates expressions",
  file: "expression-process.ts",
  reads: () => [...PARSERS, folderOf("jsonata")],
  flags: ["--disallow-code-generation-from-strings"],
};

/** Code that broke out of a schema could read these files alone: ajv compiles schemas into functions. */
export const SCHEMAS: ConfinedProgram = {
  does: "judges by schemas",
  file: "schema-process.ts",
  reads: () => [
    join(HERE, "../services/compile-schema.ts"),
    join(HERE, "../thrown.ts"),
    dirname(folderOf("ajv/package.json")),
  ],
  flags: [],
};

/** Code that broke out of a program could write no file and start no other program. */
function flagsOf({ reads, flags }: ConfinedProgram): string[] {
  return [
    `--max-old-space-size=${HEAP_MEGABYTES}`,
    "--max-semi-space-size=8",
    "--stack-size=3900",
    "--v8-pool-size=1",
    ...flags,
    "--disable-proto=delete",
    "--no-warnings",
    "--permission",
    ...[HERE, ...reads(), join(HERE, "../../package.json")].map((path) => `--allow-fs-read=${path}`),
  ];
}

/**
 * Runs the program without core dumps, after the platform's own work, and as the first to go where the machine runs out
 * of memory. Descriptor 3 ends with the platform, however that ended, and takes the program with it, busy or not.
 */
const SHELL = `
ulimit -c 0
ulimit -d ${DATA_KILOBYTES}
exec 4<&0 </dev/null
{ echo 1000 >/proc/self/oom_score_adj; exec nice -n 5 "$0" "$@"; } <&4 3<&- 4<&- &
exec 4<&- >/dev/null
read -r line <&3 || kill -KILL $!
wait $!
`;
/** How the shell reports that a signal ended the program. */
const BY_SIGNAL = 128;

/** Starts a process without the platform's environment and descriptors. */
export async function startConfinedChild(confined: ConfinedProgram): Promise<ConfinedChild> {
  const program = [
    process.execPath,
    ...flagsOf(confined),
    join(HERE, confined.file),
    String(MAXIMUM_CHARACTERS),
  ];
  const child = spawn("/bin/sh", ["-c", SHELL, ...program], {
    cwd: "/",
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "ignore", "pipe"],
  });
  const [stdin, stdout, , lifeline] = child.stdio as unknown as [Socket, Socket, null, Socket];
  let deadline: NodeJS.Timeout | undefined;
  let ending: Ending | undefined;
  let settle: (answered: Answered) => void = () => undefined;

  for (const stream of [stdin, stdout, lifeline]) {
    // The caller learns of the process's end; the broken pipe is no second fault.
    stream.on("error", () => undefined);
    stream.unref();
  }
  child.unref();
  child.once("error", () => finish({ ending: "killed" }));
  child.once("exit", (code) => {
    const byOthers = code === null || code === BY_SIGNAL + SIGKILL || code === BY_SIGNAL + SIGTERM;
    finish({ ending: ending ?? (byOthers ? "killed" : "out_of_memory") });
    stdin.destroy();
  });
  readLines(stdout, MAXIMUM_CHARACTERS, (line) => (line === null ? end("out_of_memory") : finish({ line })));
  // The program is gone; a line lets the shell say how.
  stdout.once("end", () => lifeline.write("\n"));

  function finish(answered: Answered): void {
    self.ended ||= answered.ending !== undefined;
    clearTimeout(deadline);
    settle(answered);
  }

  function end(how: Ending): void {
    ending ??= how;
    lifeline.end();
  }

  function listen(milliseconds: number): Promise<Answered> {
    return new Promise((resolve) => {
      settle = resolve;
      if (self.ended) resolve({ ending: "killed" });
      else deadline = setTimeout(() => end("timed_out"), milliseconds);
    });
  }

  const self: ConfinedChild = {
    fresh: true,
    ended: false,
    async ask(task, milliseconds) {
      stdin.write(`${task}\n`);
      const answered = await listen(milliseconds);
      self.fresh = false;
      return answered;
    },
  };
  if ((await listen(START_MILLISECONDS)).line === undefined)
    throw new ApiError("service_unavailable", `No process that ${confined.does} could be started.`);
  return self;
}
