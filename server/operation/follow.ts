import type { Change } from "#server/changes.ts";
import { platform } from "#server/platform.ts";
import { isDatabaseGone } from "./faults.ts";

// What changes while a page is sent is read together; what comes alone is read at once.
const GATHER_MS = 40;
const OUTAGE_MS = 500;

/** What was new. */
export interface NewItems<Item> {
  items: readonly Item[];
  /** Whether there is more to read already. */
  more: boolean;
  /** Whether nothing will come any more. */
  ended: boolean;
}

export interface Followed<Item> {
  accountId: string;
  /** What is published when there is something new. */
  change: Change;
  signal: AbortSignal;
  /** Reads what is new since the last time. */
  read(): Promise<NewItems<Item>>;
}

/**
 * Reads what is new, again and again: when a change of the account is published, and every few seconds, since a
 * notification may be lost. Waits for a database that is away. Reads no further than its consumer.
 */
export async function* follow<Item>({
  accountId,
  change,
  signal,
  read,
}: Followed<Item>): AsyncGenerator<readonly Item[], void> {
  const { changes, streams } = platform();
  const waiting = new Waiting(signal);
  const unsubscribe = changes.subscribe([accountId], (published) => {
    if (published === change) waiting.wake();
  });
  try {
    while (!signal.aborted) {
      waiting.expect();
      const began = performance.now();
      const found = await read().catch((reason) => {
        if (!isDatabaseGone(reason)) throw reason;
        return null;
      });
      if (found && found.items.length > 0) yield found.items;
      if (found?.ended) return;
      if (found?.more) continue;
      await waiting.until(found ? streams.limits.pollMs : OUTAGE_MS);
      await waiting.rest(GATHER_MS - (performance.now() - began));
    }
  } finally {
    unsubscribe();
    waiting.end();
  }
}

/** Waits for a wake-up, some time, or an abort. */
export class Waiting {
  readonly #signal: AbortSignal;
  #woken = false;
  #end: (() => void) | undefined;
  readonly #abort = () => this.#end?.();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#abort);
  }

  /** From here on a wake-up counts. */
  expect(): void {
    this.#woken = false;
  }

  wake(): void {
    this.#woken = true;
    this.#end?.();
  }

  /** Until a wake-up that has come since `expect`, at most so long. */
  async until(milliseconds: number): Promise<void> {
    if (!this.#woken) await this.#sleep(milliseconds);
  }

  /** So long, whatever comes. */
  async rest(milliseconds: number): Promise<void> {
    const ends = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0 && !this.#signal.aborted; left = ends - performance.now())
      await this.#sleep(left);
  }

  end(): void {
    this.#signal.removeEventListener("abort", this.#abort);
  }

  #sleep(milliseconds: number): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(() => this.#end?.(), milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        this.#end = undefined;
        done();
      };
    });
  }
}
