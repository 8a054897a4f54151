/**
 * V8's options for a worker. Its idle polls allocate memory all the time, and V8 would let its heap grow by 100 MB before
 * it collects them.
 */
export const WORKER_HEAP = ["--max-semi-space-size=16", "--heap-growing-percent=30"];

/**
 * Starts this program anew with the worker's options, in this process, unless it has them: V8 reads the first one only
 * at its own start, and `NODE_OPTIONS` does not take the second.
 */
export function ensureWorkerHeap(): void {
  const { execArgv, argv, execPath } = process;
  if (WORKER_HEAP.every((option) => execArgv.includes(option))) return;
  // Windows has no such call, and the channel to a parent process would be lost.
  if (process.platform === "win32" || process.send) return;
  // The operator's own come last, and prevail.
  process.execve?.(execPath, [execPath, ...WORKER_HEAP, ...execArgv, ...argv.slice(1)], process.env);
}
