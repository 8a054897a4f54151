/** Some machines count a thread's time by ticks of ten milliseconds. */
const ENOUGH_MS = 100;

/** Milliseconds of CPU time that this thread has taken; others on the machine do not count. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
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
