import { AsyncLocalStorage } from "node:async_hooks";

const within = new AsyncLocalStorage<string>();

/** Runs work that belongs to a run, and makes that run's id available to `causingRun` in every call below. */
export function withinRun<Result>(runId: string, work: () => Promise<Result>): Promise<Result> {
  return within.run(runId, work);
}

/** Returns the id of the run that the current work belongs to; null outside of any run. */
export function causingRun(): string | null {
  return within.getStore() ?? null;
}
