import type { Change } from "#server/base/changes.ts";
import { platform } from "#server/platform.ts";
import { isDatabaseGone } from "./faults.ts";

// Changes within this time are read together; a single change is read at once.
const GATHER_MS = 40;
const OUTAGE_MS = 500;

/** The result of one read of new items. */
export interface NewItems<Item> {
  items: readonly Item[];
  /** True if more items can be read at once. */
  more: boolean;
  /** True if no more items will ever come. */
  ended: boolean;
}

export interface Followed<Item> {
  accountId: string;
  /** The kind of change that is published when there are new items. */
  change: Change;
  signal: AbortSignal;
  /** Reads the items that are new since the last read. */
  read(): Promise<NewItems<Item>>;
}

/**
 * Yields new items: reads when a change of the account is published, and every few seconds, since
 * notifications can be lost. Retries while the database is unreachable. Reads only when the consumer asks for
 * more.
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

/** Waits for a wake-up, a timeout or an abort. */
class Waiting {
  readonly #signal: AbortSignal;
  #woken = false;
  #end: (() => void) | undefined;
  readonly #abort = () => this.#end?.();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#abort);
  }

  /** Starts counting wake-ups. */
  expect(): void {
    this.#woken = false;
  }

  wake(): void {
    this.#woken = true;
    this.#end?.();
  }

  /** Waits for a wake-up since `expect`, at most this long. */
  async until(milliseconds: number): Promise<void> {
    if (!this.#woken) await this.#sleep(milliseconds);
  }

  /** Waits this long, regardless of wake-ups. */
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
