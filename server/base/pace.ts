import { defined } from "#server/base/defined.ts";

const FIRST_MS = 60_000;
const SLOWEST_MS = 3_600_000;
const REMEMBERED = 1000;

/** Returns true if it is time to log a fault. */
export type Pace = (fault: string) => boolean;

/**
 * Logs each fault once, and again while it lasts: after a minute, and then after pauses that double up to `slowestMs`,
 * by default an hour. `now` is a clock in milliseconds.
 */
export function createPace({ slowestMs = SLOWEST_MS, now = () => performance.now() } = {}): Pace {
  const logged = new Map<string, { at: number; pauseMs: number }>();
  return (fault) => {
    const last = logged.get(fault);
    if (last && now() - last.at < last.pauseMs) return false;
    logged.delete(fault);
    logged.set(fault, { at: now(), pauseMs: last ? Math.min(last.pauseMs * 2, slowestMs) : FIRST_MS });
    // The one that was logged the longest ago goes first.
    if (logged.size > REMEMBERED) logged.delete(defined(logged.keys().next().value));
    return true;
  };
}

/**
 * Logs each fault of a component once a minute while it lasts: with many callers, each of them would log it. Share one
 * between the calls of a component.
 */
export const onceAMinute = (): Pace => createPace({ slowestMs: FIRST_MS });
