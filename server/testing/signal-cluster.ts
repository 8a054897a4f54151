import { readFileSync } from "node:fs";

/** Sends a signal to a cluster's server and to every process of its own. */
export function signalCluster({ pid }: { pid: number }, name: "SIGSTOP" | "SIGCONT"): void {
  // Stopped first, it starts none that would be missed.
  process.kill(pid, name);
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" "))
    if (child.trim() !== "") process.kill(Number(child), name);
}
