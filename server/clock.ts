// Shared by the copies of this module that Next.js bundles.
const KEY = Symbol.for("managed-services.clock-ahead");
const holder = globalThis as { [KEY]?: number };

/** How far the database's clock is ahead of this process's, in milliseconds; 0 unless an answer has shown otherwise. */
const aheadMs = () => holder[KEY] ?? 0;

/**
 * Learns from a time that the database told: it lies between the moments, by this process's clock, at which it was asked
 * for and answered.
 */
export function learnClock(told: number, asked: number, answered: number): void {
  holder[KEY] = Math.max(told - answered, Math.min(told - asked, aheadMs()));
}

/**
 * Returns the time in Unix milliseconds by the database's clock, as accurately as its answers show. Use it for times that
 * are stored or compared with stored ones: other processes, whose clocks differ, see them.
 */
export const currentMs = (): number => Math.round(Date.now() + aheadMs());
