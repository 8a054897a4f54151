const FIRST_MS = 60_000;
const SLOWEST_MS = 3_600_000;
const REMEMBERED = 1000;

/** Whether it is time to tell of a trouble. */
export type Pace = (trouble: string) => boolean;

/** Logs each fault once, and again while it lasts after pauses that grow from a minute to an hour. */
export function createPace(now: () => number = Date.now): Pace {
  const told = new Map<string, { at: number; pauseMs: number }>();
  return (trouble) => {
    const last = told.get(trouble);
    if (last && now() - last.at < last.pauseMs) return false;
    told.delete(trouble);
    told.set(trouble, { at: now(), pauseMs: last ? Math.min(last.pauseMs * 2, SLOWEST_MS) : FIRST_MS });
    // The one that was told of the longest ago goes first.
    if (told.size > REMEMBERED) told.delete(told.keys().next().value as string);
    return true;
  };
}
