import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 20;
const LONGEST_MS = 250;

/**
 * Asks until there is an answer: often at first, then after a fifth of the time that has passed, so that a test which waits
 * leaves the processor to what it waits for.
 */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 1.2, LONGEST_MS)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(pause);
  }
}
