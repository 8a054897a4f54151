import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { sourceFolder } from "#server/base/source-folder.ts";
import { ComponentLost } from "#server/operation/faults.ts";
import { childrenOf, cpuTimeOf } from "./cpu-time.ts";
import { WORKFLOW_LIMITS } from "./limits.ts";
import { readLines } from "./read-lines.ts";

/** Why the process ended without an answer: `starved` for want of CPU, `killed` by somebody other than the platform. */
type Ending = "timed_out" | "starved" | "out_of_memory" | "killed";

type Answered = { line: string; ending?: undefined } | { line?: undefined; ending: Ending };

/** A process that executes customers' code, one task at a time. */
export interface ConfinedChild {
  /** True if it has not had a task yet. */
  fresh: boolean;
  /** True if it accepts no more tasks. */
  ended: boolean;
  /** Executes a task within this time, or longer if the machine gives the process little CPU time. */
  ask(task: string, milliseconds: number): Promise<Answered>;
}

/** A confined program: its file and its permissions. */
export interface ConfinedProgram {
  /** Its purpose, for messages: "evaluates expressions". */
  does: string;
  /** Its file in this folder. */
  file: string;
  /** Files and folders that it may read beside this folder. */
  reads(): string[];
  flags: readonly string[];
  /** How many times its limit a task that gets no CPU time may take. */
  patience: number;
  /** By how much its priority is lower than the platform's, as for `nice`. */
  niceness: number;
}

/** The maximum size of V8's heap. */
export const HEAP_MEGABYTES = 96;
/** The maximum address space, including 512 MB that V8 reserves for compiled code. */
const DATA_KILOBYTES = 800 * 1024;
/** When a running task is first checked; most have ended by then. */
const FIRST_LOOK_MILLISECONDS = 50;
/**
 * The share of its time that a task must have worked when that time is up: the machine may be at fault for the rest.
 */
const LEAST_WORKED = 1 / 4;
/** The time limit of a start. */
const START_MILLISECONDS = 30_000;

/** The maximum size of an answer, with its frame. */
const MAXIMUM_CHARACTERS = WORKFLOW_LIMITS.maximumOutputBytes;

const { SIGKILL, SIGTERM } = constants.signals;
const PARSERS = ["operation/json-text.ts", "operation/exact-numbers.ts", "base/defined.ts"];

/**
 * Returns a file or folder of the server. Resolved when needed: Next.js bundles this module too, where paths are
 * unknown.
 */
const inServer = (path: string) => join(sourceFolder(), "server", path);

/** Returns the folder of a package. */
const folderOf = (file: string) => dirname(createRequire(inServer("base/source-folder.ts")).resolve(file));

/** Code that escaped from JSONata could compile no code either. */
export const EXPRESSIONS: ConfinedProgram = {
  does: "evaluates expressions",
  file: "expression-process.ts",
  reads: () => [...PARSERS.map(inServer), folderOf("jsonata")],
  flags: ["--disallow-code-generation-from-strings"],
  // For runs, which have time.
  patience: 15,
  niceness: 10,
};

/** Code that escaped from a schema could read these files only: ajv compiles schemas to functions. */
export const SCHEMAS: ConfinedProgram = {
  does: "judges by schemas",
  file: "schema-process.ts",
  reads: () => [
    inServer("services/compile-schema.ts"),
    inServer("base/thrown.ts"),
    dirname(folderOf("ajv/package.json")),
  ],
  flags: [],
  // For calls, whose callers wait.
  patience: 2.5,
  niceness: 5,
};

/** Code that escaped from a program could write no file and start no other program. */
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
    ...[inServer("workflows"), ...reads(), inServer("../package.json")].map(
      (path) => `--allow-fs-read=${path}`,
    ),
  ];
}

/**
 * Runs the program without core dumps, at a lower priority than the platform, and as the first to be killed when memory
 * runs out. Descriptor 3 closes when the platform ends, however it ends, and that ends the program, busy or not.
 */
const SHELL = `
ulimit -c 0
ulimit -d ${DATA_KILOBYTES}
exec 4<&0 </dev/null
{ echo 1000 >/proc/self/oom_score_adj; exec nice -n "$0" "$@"; } <&4 3<&- 4<&- &
exec 4<&- >/dev/null
read -r line <&3 || kill -KILL $!
wait $!
`;
/** The exit status by which the shell reports a signal. */
const BY_SIGNAL = 128;

/** Returns the child, whose start may still fail; null if the system refuses it at once. */
function spawnConfined(program: readonly string[], niceness: number): ChildProcess | null {
  try {
    const child = spawn("/bin/sh", ["-c", SHELL, String(niceness), ...program], {
      cwd: "/",
      env: { NODE_ENV: "production" },
      stdio: ["pipe", "pipe", "ignore", "pipe"],
    });
    child.on("error", () => undefined);
    return child;
  } catch {
    return null;
  }
}

/** Starts a process without the platform's environment and descriptors; fails with `ComponentLost`. */
export async function startConfinedChild(confined: ConfinedProgram): Promise<ConfinedChild> {
  const program = [
    process.execPath,
    ...flagsOf(confined),
    inServer(`workflows/${confined.file}`),
    String(MAXIMUM_CHARACTERS),
  ];
  const lost = () => new ComponentLost(`No process that ${confined.does} could be started.`);
  const started = spawnConfined(program, confined.niceness);
  // Without memory or descriptors for the pipes, it has none of them.
  if (!started?.stdio) throw lost();
  const child = started;
  const [stdin, stdout, , lifeline] = child.stdio as unknown as [Socket, Socket, null, Socket];
  let deadline: NodeJS.Timeout | undefined;
  let ending: Ending | undefined;
  let settle: (answered: Answered) => void = () => undefined;

  for (const stream of [stdin, stdout, lifeline]) {
    // The end of the process is reported to the caller; the error of its broken pipe adds nothing.
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
  // The program is gone; the shell waits for a line before it reports how.
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

  /**
   * The CPU time of the program below the shell; if the system does not report it, the program counts as always
   * working.
   */
  function worked(): number {
    const [pid] = childrenOf(child.pid ?? 0);
    return (pid === undefined ? null : cpuTimeOf(pid)) ?? performance.now();
  }

  /** Ends the program once its time is up and it has had its share of the CPU, or has taken too long in any case. */
  function limitWork(milliseconds: number): void {
    const started = performance.now();
    deadline = setTimeout(() => {
      const before = worked();
      const look = () => {
        const passed = performance.now() - started;
        const isUp = passed >= milliseconds;
        if (isUp && worked() - before >= milliseconds * LEAST_WORKED) end("timed_out");
        else if (passed >= milliseconds * confined.patience) end("starved");
        else deadline = setTimeout(look, isUp ? FIRST_LOOK_MILLISECONDS : milliseconds - passed);
      };
      look();
    }, FIRST_LOOK_MILLISECONDS);
  }

  function listen(limit: () => void): Promise<Answered> {
    return new Promise((resolve) => {
      settle = resolve;
      if (self.ended) resolve({ ending: "killed" });
      else limit();
    });
  }

  function limitStart(): void {
    deadline = setTimeout(() => end("timed_out"), START_MILLISECONDS);
  }

  const self: ConfinedChild = {
    fresh: true,
    ended: false,
    async ask(task, milliseconds) {
      stdin.write(`${task}\n`);
      const answered = await listen(() => limitWork(milliseconds));
      self.fresh = false;
      return answered;
    },
  };
  if ((await listen(limitStart)).line === undefined) throw lost();
  return self;
}
