import { existsSync, readFileSync } from "node:fs";

/** Some machines count a thread's time by ticks of ten milliseconds. */
const ENOUGH_MS = 100;

/** Milliseconds of CPU time that this thread has taken; others on the machine do not count. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Where Linux says how many nanoseconds the main thread has run, and waited for a core. */
const SCHEDULED = "/proc/self/schedstat";

/** Milliseconds for which this thread could have worked, and others had the cores; 0 where the system does not say. */
function waitedMs(): number {
  if (!existsSync(SCHEDULED)) return 0;
  return Number(readFileSync(SCHEDULED, "utf8").split(" ")[1]) / 1e6;
}

/** Starts a clock of milliseconds that stands still while others have the cores. */
export function startClock(): () => number {
  const [started, waited] = [performance.now(), waitedMs()];
  return () => performance.now() - started - (waitedMs() - waited);
}

/** What some work costs this thread, in milliseconds: the mean of as many times as its clock needs to tell. */
export async function costOf(work: () => unknown): Promise<number> {
  const started = threadMs();
  let times = 0;
  do {
    await work();
    times += 1;
  } while (times < 3 || threadMs() - started < ENOUGH_MS);
  return (threadMs() - started) / times;
}
