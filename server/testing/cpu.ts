/** Milliseconds of CPU time that this thread has taken; others on the machine do not count. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What some work costs this thread: the least of three times, in milliseconds. */
export async function costOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < 3; nth++) {
    const started = threadMs();
    await work();
    least = Math.min(least, threadMs() - started);
  }
  return least;
}
