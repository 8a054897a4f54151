import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_MILLISECONDS = 10;

/** The processes that a process has started and that live, by Linux's `/proc`; none on other systems. */
export function childrenOf(pid: number): number[] {
  try {
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return ids.trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** The milliseconds of CPU that a process has used with all of its threads; null where the system does not say. */
export function cpuTimeOf(pid: number): number | null {
  try {
    // The name before it, in brackets, may hold anything.
    const [, facts = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Z] )/);
    const [user, system] = facts.split(" ").slice(11, 13).map(Number);
    return user === undefined || system === undefined ? null : (user + system) * TICK_MILLISECONDS;
  } catch {
    return null;
  }
}
