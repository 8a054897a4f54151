import { type LogFields, log } from "./log.ts";

/** The shortest pause after a failed turn. */
const FAILED_MS = 1000;

/**
 * Repeats a turn from `start` to `stop`: at once if the turn returned true, else after a pause or on a wake-up. A failed
 * turn is followed by a pause of at least a second; of several failures in a row, only the first is logged.
 */
export function createPolling(options: {
  turn(): Promise<boolean>;
  /** The pause, which a turn may change. */
  pauseMs: number | (() => number);
  /** The log message of a failed turn. */
  failing: string;
  /** Further fields of that log entry. */
  logFields?: LogFields;
}) {
  const { turn, pauseMs, failing, logFields } = options;
  let isFailing = false;
  let stopping = false;
  let woken = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;

  /** Returns whether the next turn follows at once. */
  async function tryTurn(): Promise<boolean> {
    try {
      const more = await turn();
      isFailing = false;
      return more;
    } catch (error) {
      if (!isFailing) log.warn(failing, { ...logFields, error });
      isFailing = true;
      return false;
    }
  }

  function nextPauseMs(): number {
    const pause = typeof pauseMs === "number" ? pauseMs : pauseMs();
    return isFailing ? Math.max(pause, FAILED_MS) : pause;
  }

  async function run(): Promise<void> {
    while (!stopping) {
      // Before the turn, which may not see the work of a wake-up that comes during it.
      woken = Promise.withResolvers();
      if (await tryTurn()) continue;
      const timer = setTimeout(woken.resolve, nextPauseMs());
      await woken.promise;
      clearTimeout(timer);
    }
  }

  return {
    start() {
      running = run();
    },
    wake: () => woken.resolve(),
    /** Waits for the running turn. */
    async stop() {
      stopping = true;
      woken.resolve();
      await running;
    },
  };
}
