import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000;

/** Parent, own time and time of the children that ended, from `/proc/<pid>/stat`; null for no such process. */
function statOf(pid: number | string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; the fields are counted from behind it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const time = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * TICK_US;
    return { parent: Number(fields[1]), own: time(11), ended: time(13) };
  } catch {
    return null;
  }
}

/** CPU time in microseconds of a process and its children so far; 0 where the system does not say. */
export function cpuOf(pid: number): number {
  const root = statOf(pid);
  if (!root) return 0;
  return readdirSync("/proc").reduce((sum, name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    return stat?.parent === pid ? sum + stat.own : sum;
  }, root.own + root.ended);
}
