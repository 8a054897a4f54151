import { existsSync, readFileSync } from "node:fs";

/** Some machines measure a thread's time in ticks of ten milliseconds. */
const ENOUGH_MS = 100;

/** Returns this thread's CPU time in milliseconds; other processes do not affect it. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The file in which Linux reports how many nanoseconds the main thread has run, and waited for a core. */
const SCHEDULED = "/proc/self/schedstat";

/**
 * Returns the milliseconds in which this thread was ready but others had the cores; 0 if the system does not report it.
 */
function waitedMs(): number {
  if (!existsSync(SCHEDULED)) return 0;
  return Number(readFileSync(SCHEDULED, "utf8").split(" ")[1]) / 1e6;
}

/** Starts a clock in milliseconds that pauses while others have the cores. */
export function startClock(): () => number {
  const [started, waited] = [performance.now(), waitedMs()];
  return () => performance.now() - started - (waitedMs() - waited);
}

/** Returns the CPU time of a function in milliseconds: the mean of as many calls as its clock's resolution needs. */
export async function costOf(work: () => unknown): Promise<number> {
  const started = threadMs();
  let times = 0;
  do {
    await work();
    times += 1;
  } while (times < 3 || threadMs() - started < ENOUGH_MS);
  return (threadMs() - started) / times;
}
