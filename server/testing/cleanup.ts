import { afterAll, onTestFinished, TestRunner } from "vitest";

type Cleanup = () => unknown;

/** What was started and has not been ended yet, oldest first; the files that share a worker share it. */
const pending = new Set<Cleanup>();
let collecting = true;

/**
 * Has what a helper started ended: with the running test where there is one, else with the test file. A helper may be
 * called anywhere, while vitest's own `afterAll` does nothing where it is called once tests run.
 */
export function onCleanup(cleanup: Cleanup): void {
  const run = add(cleanup);
  if (!collecting && TestRunner.getCurrentTest()) onTestFinished(run);
}

/** Has a worker stopped with the test file, unless a test stops it before: it works for the tests that follow, too. */
export function stopAtEnd<Worker extends { stop(): Promise<void> }>(worker: Worker): Worker {
  const stop = add(() => worker.stop());
  return { ...worker, stop };
}

/** Whichever file is being read ends it, and before it what was started later and may need it. */
function add(cleanup: Cleanup): () => Promise<void> {
  async function run() {
    if (pending.delete(run)) await cleanup();
  }
  pending.add(run);
  if (collecting) afterAll(() => endFrom(run));
  return run;
}

/** Ends, newest first, what was started since `first`, and that; by default everything. One failure leaves nothing else behind. */
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
  if (faults.length > 0) throw new AggregateError(faults, "What the tests started did not end.");
}

/** Ends, newest first, all that was started and still runs. */
export const cleanUp = () => endFrom();

/** Says whether the test file is still being read, so that hooks may be registered for it. */
export function setCollecting(now: boolean): void {
  collecting = now;
}
