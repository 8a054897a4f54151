import { setTimeout as sleep } from "node:timers/promises";

/**
 * SQLSTATEs of transactions that the database rolled back because of concurrent ones: serialization failure,
 * deadlock.
 */
const UNDONE = new Set(["40001", "40P01"]);
const MAX_TRIES = 5;
const LONGEST_PAUSE_MS = 20;

/**
 * Runs a transaction, or a single statement, again if the database rolled it back because of concurrent ones. The
 * pauses grow and are random, so that the same transactions do not collide again.
 */
export async function retryUndone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (reason) {
      if (tries === MAX_TRIES || !isUndone(reason)) throw reason;
      await sleep(Math.random() * LONGEST_PAUSE_MS * tries);
    }
  }
}

function isUndone(reason: unknown): boolean {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("code" in error && UNDONE.has(String(error.code))) return true;
  }
  return false;
}
