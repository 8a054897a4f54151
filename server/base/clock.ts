/** The name of the state that this module's copies share: Next.js bundles its own. */
export const CLOCK = Symbol.for("managed-services.clock-start");
const holder = globalThis as { [CLOCK]?: number };

/** The Unix milliseconds at which `performance.now()` was 0; by this machine's clock until the database's is known. */
const startMs = () => {
  holder[CLOCK] ??= Date.now() - performance.now();
  return holder[CLOCK];
};

/**
 * Adjusts the clock to a time in Unix milliseconds that the database has returned. The database read it after `asked`
 * and before `answered`, both by `performance.now()`.
 */
export function learnClock(databaseMs: number, asked: number, answered: number): void {
  const [earliest, latest] = [databaseMs - answered, databaseMs - asked];
  const known = startMs();
  // A start that is far off is this machine's, and the middle errs least; an adjusted one errs by one round trip at most.
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
