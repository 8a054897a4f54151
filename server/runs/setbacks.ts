import { backoffMs } from "#server/base/backoff.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** After this time without another interruption, a run has ended elsewhere or recovered. */
const FORGOTTEN_MS = 10 * LONGEST_PAUSE_MS;

interface Setback {
  count: number;
  /** On the clock of `performance.now()`. */
  until: number;
}

/**
 * Counts each run's consecutive interruptions by a lost or slow database. From the second one on, the run rests before
 * it is claimed again, each time twice as long: a statement that always takes too long must not occupy a slot and a
 * connection for ever.
 */
export function createSetbacks() {
  const setbacks = new Map<string, Setback>();

  return {
    /** Notes that a run was interrupted; it rests no longer than until it expires, in so many milliseconds. */
    add(runId: string, expiresInMs: number): void {
      const count = (setbacks.get(runId)?.count ?? 0) + 1;
      const pause = count === 1 ? 0 : backoffMs(count - 2, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      setbacks.set(runId, { count, until: performance.now() + Math.min(pause, expiresInMs) });
    },
    /** Notes that a run ended, waits or was left without an interruption. */
    clear(runId: string): void {
      setbacks.delete(runId);
    },
    /** Ends a run's rest, and keeps its count. */
    wake(runId: string): void {
      const setback = setbacks.get(runId);
      if (setback) setback.until = 0;
    },
    /** Returns the runs that rest. */
    resting(): string[] {
      const now = performance.now();
      for (const [runId, { until }] of setbacks)
        if (until > 0 && until < now - FORGOTTEN_MS) setbacks.delete(runId);
      return [...setbacks].filter(([, { until }]) => until > now).map(([runId]) => runId);
    },
  };
}
