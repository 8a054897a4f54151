const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays between attempts. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const LONGEST_MS = 24 * HOUR;

/**
 * Returns when a delivery is tried next after this many attempts: by the schedule, give or take 10 %, or as late as
 * the endpoint asked. Null after the last attempt.
 */
export function nextAttemptAt(
  attempts: number,
  now: Date,
  retryAfterMs = 0,
  chance: () => number = Math.random,
): Date | null {
  const delay = DELAYS[attempts - 1];
  if (delay === undefined) return null;
  const jittered = delay * (0.9 + 0.2 * chance());
  return new Date(now.getTime() + Math.max(jittered, Math.min(retryAfterMs, LONGEST_MS)));
}
