import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { onCleanup } from "./cleanup.ts";
import { inTime } from "./eventually.ts";
import { guardProcess } from "./guard-process.ts";

/** Kills a process when the test that started it ends, or the test file; at the latest soon after this process. */
export function endWithTest<Child extends ChildProcess>(child: Child): Child {
  guardProcess(child.pid);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  onCleanup(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await gone;
  });
  return child;
}

interface NodeOptions extends Pick<SpawnOptions, "cwd" | "env"> {
  /** The open file for its standard error; by default that of this process. */
  log?: number;
}

/** Starts a Node.js program that ends with the test or the test file; its standard output is a pipe. */
export function startNode(args: readonly string[], { log, ...options }: NodeOptions = {}) {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", log ?? "inherit"] });
  // A pipe by the line above, which the types do not follow.
  return endWithTest(child as ChildProcess & { stdout: Readable });
}

/**
 * Starts a Node.js program like `startNode`; resolves with its first line, which it prints when it is ready, and fails
 * if it ends before.
 */
export async function startReadyNode(args: readonly string[], options: NodeOptions = {}) {
  const child = startNode(args, options);
  const ended = once(child, "close").then(([code, signal]) => {
    throw new Error(`${args.join(" ")} ended with ${signal ?? code} before it was ready.`);
  });
  const ready = Promise.race([once(createInterface(child.stdout), "line"), ended]);
  const [line] = (await inTime(`${args.join(" ")} to be ready`, ready)) as [string];
  ended.catch(() => undefined);
  return { child, line };
}
