// Shared by the copies of this module that Next.js bundles.
const KEY = Symbol.for("managed-services.clock-start");
const holder = globalThis as { [KEY]?: number };

/** The time in Unix milliseconds at which `performance.now()` was 0; by this machine's clock until an answer shows another. */
const startMs = () => {
  holder[KEY] ??= Date.now() - performance.now();
  return holder[KEY];
};

/**
 * Learns from a time in Unix milliseconds that the database told: it lies between the moments, by `performance.now()`, at
 * which it was asked for and answered.
 */
export function learnClock(told: number, asked: number, answered: number): void {
  holder[KEY] = Math.max(told - answered, Math.min(told - asked, startMs()));
}

/**
 * Returns the time in Unix milliseconds by the database's clock, as accurately as its answers show. Use it for times that
 * are stored or compared with stored ones: other processes, whose clocks differ, see them.
 */
export const currentMs = (): number => Math.floor(performance.now() + startMs());
