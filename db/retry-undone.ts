import { setTimeout as sleep } from "node:timers/promises";

/** The database has undone a transaction as a whole because of others: a serialization failure, a deadlock. */
const UNDONE = new Set(["40001", "40P01"]);
const MOST_TRIES = 5;
const LONGEST_PAUSE_MS = 20;

/**
 * Runs a transaction, or a statement that is one, again where the database has undone it: then nothing of it has happened.
 * The pause grows and differs, so that those who met once do not meet again.
 */
export async function retryUndone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (reason) {
      if (tries === MOST_TRIES || !isUndone(reason)) throw reason;
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
