import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 20;
const LONGEST_MS = 250;
/** Less than a test may take, so that its failure names what it waited for. */
const GIVE_UP_MS = 480_000;

/**
 * Polls until there is a result: often at first, then after a fifth of the elapsed time, so that a waiting test leaves
 * the processor to the work that it waits for. Fails after eight minutes.
 */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + GIVE_UP_MS;
  for (let pause = FIRST_MS; performance.now() < until; pause = Math.min(pause * 1.2, LONGEST_MS)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(pause);
  }
  throw stillWaiting(String(ask));
}

/** Resolves as this promise does; fails after eight minutes with the name of what was awaited. */
export async function inTime<T>(awaited: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(stillWaiting(awaited)), GIVE_UP_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function stillWaiting(awaited: string): Error {
  return new Error(`Still waiting after ${GIVE_UP_MS / 1000} s: ${awaited}`);
}
