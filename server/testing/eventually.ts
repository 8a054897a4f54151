import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 20;
const LONGEST_MS = 250;

/**
 * Polls until there is a result: often at first, then after a fifth of the elapsed time, so that a waiting test leaves
 * the processor to the work that it waits for.
 */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 1.2, LONGEST_MS)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(pause);
  }
}
