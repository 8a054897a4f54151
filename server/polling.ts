import { log } from "./log.ts";

/**
 * Repeats a turn from `start` to `stop`: at once if the turn returned true, else after a pause or on a wake-up. A failed
 * turn is followed by a longer pause; of several failures in a row, only the first is logged.
 */
export function createPolling(options: {
  turn(): Promise<boolean>;
  pauseMs: number;
  /** The log message of a failed turn. */
  failing: string;
}) {
  const { turn, pauseMs, failing } = options;
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
      if (!isFailing) log.warn(failing, { error });
      isFailing = true;
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      // Before the turn, which may not see the work of a wake-up that comes during it.
      woken = Promise.withResolvers();
      if (await tryTurn()) continue;
      const timer = setTimeout(woken.resolve, isFailing ? 4 * pauseMs : pauseMs);
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
