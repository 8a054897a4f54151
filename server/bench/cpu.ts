import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000;

/**
 * Returns parent, own CPU time and that of ended children from `/proc/<pid>/stat`; null if there is no such process.
 */
function statOf(pid: number | string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces, so the fields are counted from its end.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const time = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * TICK_US;
    return { parent: Number(fields[1]), own: time(11), ended: time(13) };
  } catch {
    return null;
  }
}

/** Returns the CPU time of a process and its children in microseconds; 0 if the system does not report it. */
export function cpuOf(pid: number): number {
  const root = statOf(pid);
  if (!root) return 0;
  return readdirSync("/proc").reduce((sum, name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    return stat?.parent === pid ? sum + stat.own : sum;
  }, root.own + root.ended);
}
