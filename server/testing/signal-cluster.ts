import { readFileSync } from "node:fs";
import { codeOf } from "#server/thrown.ts";

/** Sends a signal to a cluster's server and to every process of its own, as far as they live. */
export function signalCluster({ pid }: { pid: number }, name: "SIGSTOP" | "SIGCONT"): void {
  const send = (target: number) => unlessGone(() => process.kill(target, name));
  // Stopped first, it starts none that would be missed.
  send(pid);
  for (const child of readChildren(pid)) send(child);
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
