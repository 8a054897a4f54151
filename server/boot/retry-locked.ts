import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../log.ts";
import { codeOf } from "../thrown.ts";

/** The errors of a statement that waited too long for a lock, or in a circle. */
const LOCKED = new Set(["55P03", "40P01"]);
const ATTEMPTS = 30;
const AGAIN_MS = 1000;

/** Runs work that waits for others' locks until it gets them, and gives up after half a minute. */
export async function retryLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
      if (code === undefined || !LOCKED.has(code) || attempt === ATTEMPTS) throw error;
      log.warn("A migration waits for statements that use its tables; it is tried again.", { attempt });
      await sleep(AGAIN_MS);
    }
  }
}
