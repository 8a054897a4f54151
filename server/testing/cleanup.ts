import { afterAll, onTestFinished, TestRunner } from "vitest";

type Cleanup = () => unknown;

/** Cleanups that have not run yet, oldest first; shared by the files of a worker. */
const pending = new Set<Cleanup>();
let collecting = true;

/**
 * Registers a cleanup to run after the current test, or after the test file if no test is running. Helpers may call it
 * anywhere, while vitest's own `afterAll` has no effect once tests are running.
 */
export function onCleanup(cleanup: Cleanup): void {
  const run = add(cleanup);
  if (!collecting && TestRunner.getCurrentTest()) onTestFinished(run);
}

/** Stops a worker after the test file, unless a test stops it earlier, because it serves the following tests too. */
export function stopAtEnd<Worker extends { stop(): Promise<void> }>(worker: Worker): Worker {
  const stop = add(() => worker.stop());
  return { ...worker, stop };
}

/** Returns a function that runs the cleanup. At the end of the file, cleanups registered later run first. */
function add(cleanup: Cleanup): () => Promise<void> {
  async function run() {
    if (pending.delete(run)) await cleanup();
  }
  pending.add(run);
  if (collecting) afterAll(() => endFrom(run));
  return run;
}

/** Runs the cleanups, newest first, down to `first`; by default all. A failure does not skip the others. */
async function endFrom(first?: Cleanup): Promise<void> {
  const all = [...pending];
  const from = first ? all.indexOf(first) : 0;
  if (from < 0) return;
  const faults: unknown[] = [];
  for (const run of all.slice(from).reverse()) {
    try {
      await run();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, "The programs that the tests started did not end.");
}

/** Runs all pending cleanups, newest first. */
export const cleanUp = () => endFrom();

/** Sets whether the test file is still being collected, so that hooks can be registered for it. */
export function setCollecting(now: boolean): void {
  collecting = now;
}
