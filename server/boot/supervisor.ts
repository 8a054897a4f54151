import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { defined } from "#server/base/defined.ts";
import { log } from "../base/log.ts";
import type { EngineGuard } from "./engines/engine-guard.ts";
import type { Engines } from "./engines/engines.ts";
import { WORKER_HEAP } from "./heap-options.ts";
import type { Stop } from "./run-process.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
/** How long a part may take to stop before it is killed. */
const STOP_MS = 20_000;
/** How many times a part that loses the database during its start is restarted. */
const STARTS_AGAIN = 3;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A part that runs this long has started well: the pause before its next restart is short again. */
const SOUND_MS = 60_000;

export type PartName = "web" | "worker";

/** A message of the supervisor to a part. */
export type ToPart = { engines: Engines } | { workerRuns: boolean } | { stop: true };
/** A message of a part to the supervisor: it is ready, or can't start. */
export type FromPart = { ready: true } | { fault: string } | { databaseLost: true };

/** A part did not start; the message says why, unless the part itself has said so. */
export class PartFailed extends Error {}

interface Part {
  child: ChildProcess;
  since: number;
  /** Why it can't start, if the operator can fix that. */
  fault?: string;
  /** True if it ended because it lost the database, which may be up again at once. */
  databaseLost?: boolean;
  /** Resolves when the part is ready or has ended; true if it is ready. */
  started: Promise<boolean>;
  ended: Promise<void>;
}

function whenEnded(child: ChildProcess) {
  return new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.on("error", (error) => {
      log.error("A part of the platform can't be started or reached.", { error });
      // A process that could not be spawned has no id, and emits no exit.
      if (child.pid === undefined) resolve();
    });
  });
}

/**
 * Runs parts of the platform as processes of their own, and restarts one that dies, after a growing pause. The others
 * continue meanwhile; the web knows whether the worker runs.
 */
export function supervise(names: readonly PartName[], stops: Stop[], stopMs = STOP_MS) {
  const parts = new Map<PartName, Part>();
  let engines: Engines | undefined;
  let guard: EngineGuard | undefined;
  let workerRuns = false;
  let stopping = false;

  function send(child: ChildProcess | undefined, message: ToPart) {
    if (child?.connected) child.send(message, () => undefined);
  }

  function setWorkerRuns(runs: boolean) {
    workerRuns = runs;
    send(parts.get("web")?.child, { workerRuns });
  }

  function launch(name: PartName): Part {
    // Node's own arguments, such as `--inspect` with its port or `--eval`, apply to the supervisor only.
    const child = fork(MAIN, ["part", name], { execArgv: name === "worker" ? WORKER_HEAP : [] });
    const ended = whenEnded(child);
    const ready = Promise.withResolvers<boolean>();
    const part: Part = {
      child,
      since: Date.now(),
      started: Promise.race([ready.promise, ended.then(() => false)]),
      ended,
    };
    parts.set(name, part);
    // Libraries in the part may send messages to a parent, too.
    child.on("message", (message: Partial<{ ready: true; fault: string; databaseLost: true }>) => {
      if (message.fault) part.fault = message.fault;
      if (message.databaseLost) part.databaseLost = true;
      if (!message.ready) return;
      ready.resolve(true);
      if (name === "worker") setWorkerRuns(true);
    });
    if (engines) begin(child);
    return part;
  }

  function begin(child: ChildProcess) {
    send(child, { workerRuns });
    send(child, { engines: defined(engines) });
    if (child.pid) guard?.add(child.pid, "TERM KILL");
  }

  /** Restarts a part whenever it ends. */
  async function keepRunning(name: PartName, first: Part) {
    let pauseMs = FIRST_PAUSE_MS;
    for (let part = first; ; part = launch(name)) {
      await part.ended;
      if (stopping) return;
      if (name === "worker") setWorkerRuns(false);
      if (Date.now() - part.since > SOUND_MS) pauseMs = FIRST_PAUSE_MS;
      const { exitCode: code, signalCode: signal } = part.child;
      log.error("A part of the platform ended and is started again.", {
        part: name,
        code,
        signal,
        reason: part.fault,
        pauseMs,
      });
      await sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      if (stopping) return;
    }
  }

  /** Returns the part once it is ready; restarts it if it has lost the database meanwhile. */
  async function untilReady(name: PartName, first: Part): Promise<Part> {
    let part = first;
    for (let again = 0; !(await part.started); again++) {
      const { exitCode, signalCode } = part.child;
      if (stopping || !part.databaseLost || again === STARTS_AGAIN)
        throw new PartFailed(
          part.fault ?? `The ${name} did not start; it ended with ${signalCode ?? exitCode}.`,
        );
      log.warn("A part of the platform lost the database during its start and is started again.", {
        part: name,
      });
      part = launch(name);
    }
    return part;
  }

  async function stop([name, { child, ended }]: [PartName, Part]) {
    send(child, { stop: true });
    const kill = setTimeout(() => {
      child.kill("SIGKILL");
      log.warn("A part of the platform did not stop in time and is killed.", { part: name });
    }, stopMs);
    await ended;
    clearTimeout(kill);
  }

  // They load their modules while the engines start.
  for (const name of names) launch(name);
  stops.push(async () => {
    stopping = true;
    await Promise.all([...parts].map(stop));
  });

  return {
    /** Lets the parts begin; fails if one ends before it is ready, unless it has only lost the database. */
    async begin(started: Engines, guardOfEngines: EngineGuard | undefined) {
      engines = started;
      guard = guardOfEngines;
      const ready = await Promise.all(
        [...parts].map(async ([name, first]) => {
          begin(first.child);
          return [name, await untilReady(name, first)] as const;
        }),
      );
      for (const [name, part] of ready) void keepRunning(name, part);
    },
  };
}
