import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_MILLISECONDS = 10;

/** Returns the living child processes of a process, from Linux's `/proc`; none on other systems. */
export function childrenOf(pid: number): number[] {
  try {
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return ids.trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * Returns the CPU milliseconds that a process has used with all of its threads; null if the system does not report it.
 */
export function cpuTimeOf(pid: number): number | null {
  try {
    // The process name before it, in parentheses, may contain anything.
    const [, facts = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Z] )/);
    const [user, system] = facts.split(" ").slice(11, 13).map(Number);
    return user === undefined || system === undefined ? null : (user + system) * TICK_MILLISECONDS;
  } catch {
    return null;
  }
}
