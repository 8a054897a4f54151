import { setTimeout as sleep } from "node:timers/promises";

/** A timer that is later than this shows that the process was suspended, or busy with other work. */
export const LATE_MS = 50;

/**
 * Waits this long without being held up: a process that was busy meanwhile has neither sent all its queries nor read
 * all responses, and waits again.
 */
export async function sleepAwake(ms: number): Promise<void> {
  for (let late = Number.POSITIVE_INFINITY; late > LATE_MS; ) {
    const due = performance.now() + ms;
    await sleep(ms, undefined, { ref: false });
    late = performance.now() - due;
  }
}
