/** The name of what the copies of this module share that Next.js bundles. */
export const CLOCK = Symbol.for("managed-services.clock-start");
const holder = globalThis as { [CLOCK]?: number };

/** The time in Unix milliseconds at which `performance.now()` was 0; by this machine's clock until an answer shows another. */
const startMs = () => {
  holder[CLOCK] ??= Date.now() - performance.now();
  return holder[CLOCK];
};

/**
 * Learns from a time in Unix milliseconds that the database told: it lies between the moments, by `performance.now()`, at
 * which it was asked for and answered.
 */
export function learnClock(told: number, asked: number, answered: number): void {
  const [earliest, latest] = [told - answered, told - asked];
  const known = startMs();
  // What is far off was never learnt, and the middle errs least; what was learnt is only off by as much as an answer took.
  const isFar = known < earliest - (latest - earliest) || known > latest + (latest - earliest);
  holder[CLOCK] = isFar ? (earliest + latest) / 2 : Math.max(earliest, Math.min(latest, known));
}

/**
 * Returns the time in Unix milliseconds by the database's clock, as accurately as its answers show. Use it for times that
 * are stored or compared with stored ones: other processes, whose clocks differ, see them.
 */
export const currentMs = (): number => Math.floor(startMs() + performance.now());

/** Returns the time of `currentMs`. */
export const currentTime = (): Date => new Date(currentMs());
