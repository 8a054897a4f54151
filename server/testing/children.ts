import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onCleanup } from "./cleanup.ts";
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

/** Starts a Node.js program that ends with the test or the test file; its standard output is a pipe. */
export function startNode(args: readonly string[], options: Pick<SpawnOptions, "env"> = {}) {
  return endWithTest(spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"] }));
}

/** Starts a Node.js program like `startNode`; resolves with its first line, which it prints when it is ready. */
export async function startReadyNode(args: readonly string[], options: Pick<SpawnOptions, "env"> = {}) {
  const child = startNode(args, options);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, line };
}
