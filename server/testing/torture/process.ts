import { type ChildProcess, fork } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Engines } from "#server/boot/engines/engines.ts";
import { freePort, readCommand } from "#server/boot/processes.ts";
import type { FromPart, PartName } from "#server/boot/supervisor.ts";
import { childrenOf } from "#server/workflows/cpu-time.ts";
import { guardProcess } from "../guard-process.ts";

const MAIN = fileURLToPath(new URL("../../boot/main.ts", import.meta.url));
const PRELOAD = new URL("preload.ts", import.meta.url).href;
/** The pause before a process that did not become ready is started again. */
const PAUSE_MS = 250;

export interface ProcessOptions {
  part: PartName;
  name: string;
  engines: Engines;
  env: Record<string, string>;
  logFile: string;
  /** Called if it ends without being killed, after it was ready. */
  onEnd(message: string): void;
}

/** Returns the living processes that a process has started, directly or through others. */
function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Starts a web or worker process of the product, and restarts it whenever it ends, until `stop`. */
export function startProcess({ part, name, engines, env, logFile, onEnd }: ProcessOptions) {
  const log = openSync(logFile, "a");
  const clockFile = `${logFile}.clock`;
  writeFileSync(clockFile, "0");
  let stopping = false;
  let child: ChildProcess | undefined;
  let origin: string | null = null;
  let ready = Promise.withResolvers<void>();
  const killed = new Set<ChildProcess>();
  const programs = new Map<number, string>();

  /** Remembers the programs that it runs, such as those of expressions, which must end with it. */
  function notePrograms() {
    for (const pid of child?.pid ? descendantsOf(child.pid) : []) programs.set(pid, readCommand(pid));
  }

  /** Runs the process once, until it ends. */
  async function run() {
    const port = await freePort();
    const launched = fork(MAIN, ["part", part], {
      execArgv: ["--import", PRELOAD],
      env: {
        ...env,
        NODE_ENV: "production",
        PATH: process.env.PATH,
        PGAPPNAME: name,
        PORT: String(port),
        TORTURE_CLOCK: clockFile,
      },
      stdio: ["ignore", log, log, "ipc"],
    });
    guardProcess(launched.pid);
    child = launched;
    launched.on("error", () => undefined);
    launched.on("message", (message: Partial<Record<"ready" | "fault", unknown>> & FromPart) => {
      if (!("ready" in message)) return;
      origin = `http://127.0.0.1:${port}`;
      ready.resolve();
    });
    for (const message of [{ workerRuns: true }, { engines }]) launched.send(message, () => undefined);
    await new Promise((ended) => launched.once("exit", ended));
    const wasReady = origin !== null;
    origin = null;
    // Callers that wait for the killed process then wait for the next one.
    if (wasReady) ready = Promise.withResolvers();
    const { exitCode, signalCode } = launched;
    if (stopping || killed.delete(launched)) return;
    if (wasReady) onEnd(`The process ${name} ended by itself, with ${signalCode ?? exitCode}.`);
    else await sleep(PAUSE_MS);
  }

  async function keepRunning() {
    while (!stopping) await run();
  }
  const running = keepRunning();
  // For tests that fail before they stop it.
  onTestFinished(() => {
    stopping = true;
    child?.kill("SIGKILL");
  });

  return {
    part,
    name,
    /** The process's address, if it is a web process and ready. */
    get origin() {
      return origin;
    },
    /** The commands of the programs that it ran when it was killed or stopped, by their process ids. */
    programs,
    untilReady: () => ready.promise,
    /** Kills it with SIGKILL; it is restarted. */
    kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      notePrograms();
      killed.add(child);
      child.kill("SIGKILL");
    },
    /** Suspends it; returns the function that continues it. */
    freeze() {
      const frozen = child;
      frozen?.kill("SIGSTOP");
      return () => void frozen?.kill("SIGCONT");
    },
    /** Moves its clock by so many milliseconds; returns the function that corrects it. */
    setClock(ms: number) {
      writeFileSync(clockFile, String(ms));
      return () => writeFileSync(clockFile, "0");
    },
    /** Stops it for good, as a supervisor does; returns whether it ended in time. */
    async stop(ms: number): Promise<boolean> {
      stopping = true;
      notePrograms();
      child?.send({ stop: true }, () => undefined);
      const late = setTimeout(() => child?.kill("SIGKILL"), ms);
      await running;
      clearTimeout(late);
      return child?.signalCode !== "SIGKILL";
    },
  };
}

export type TorturedProcess = ReturnType<typeof startProcess>;
