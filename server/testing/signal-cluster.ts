import { readFileSync } from "node:fs";
import { codeOf } from "#server/base/thrown.ts";

/** Sends a signal to a cluster's server and to all its live processes. */
export function signalCluster({ pid }: { pid: number }, name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
  const send = (target: number, signal: typeof name) => unlessGone(() => process.kill(target, signal));
  // Suspended first, so that it starts no process that would be missed; once killed, it has no child processes.
  send(pid, name === "SIGKILL" ? "SIGSTOP" : name);
  const children = readChildren(pid);
  if (name === "SIGKILL") send(pid, name);
  for (const child of children) send(child, name);
}

function readChildren(pid: number): number[] {
  const line = unlessGone(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")) ?? "";
  return line.trim().split(" ").filter(Boolean).map(Number);
}

/** Returns the result, or undefined if the process has ended. */
function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!["ESRCH", "ENOENT"].includes(codeOf(error) ?? "")) throw error;
  }
}
