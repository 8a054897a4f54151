import { readFileSync } from "node:fs";
import { codeOf } from "#server/thrown.ts";

/** Sends a signal to a cluster's server and to every process of its own, as far as they live. */
export function signalCluster({ pid }: { pid: number }, name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
  const send = (target: number, signal: typeof name) => unlessGone(() => process.kill(target, signal));
  // Stopped first, it starts none that would be missed; nor are they its own any more once it was killed.
  send(pid, name === "SIGKILL" ? "SIGSTOP" : name);
  const children = readChildren(pid);
  if (name === "SIGKILL") send(pid, name);
  for (const child of children) send(child, name);
}

function readChildren(pid: number): number[] {
  const line = unlessGone(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")) ?? "";
  return line.trim().split(" ").filter(Boolean).map(Number);
}

/** What is returned or, of a process that has ended, nothing. */
function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!["ESRCH", "ENOENT"].includes(codeOf(error) ?? "")) throw error;
  }
}
