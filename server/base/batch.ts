import { telemetry } from "./telemetry.ts";

/** How calls of a function are batched. */
interface BatchOptions {
  /** The batch's name in metrics; without a name it is not measured. */
  name?: string;
  /** How many batches may run at a time. */
  inFlight: number;
  size: number;
  /** How many items may wait; further ones are refused at once. */
  most?: number;
  /** After this time the next batch no longer waits for a running one, whose connection may be silent. */
  slowMs?: number;
}

/** Refuses an item because too many already wait. */
export class BatchFull extends Error {
  readonly code = "QUEUE_FULL";
}

/**
 * Collects the items of one event-loop turn and passes them on as one batch, with at most `inFlight` batches
 * running; meanwhile the next batch grows. One round trip then serves many requests.
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { name, inFlight, size, most = Number.POSITIVE_INFINITY, slowMs }: BatchOptions,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (reason: unknown) => void }[] = [];
  let running = 0;
  let scheduled = false;
  let since = 0;

  function schedule() {
    if (scheduled || waiting.length === 0 || running >= inFlight) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush() {
    scheduled = false;
    const batch = waiting.slice(0, size);
    waiting = waiting.slice(size);
    running += 1;
    const began = performance.now();
    const ended = name && telemetry.metrics?.batch(name, batch.length, began - since);
    since = began;
    let counted = true;
    const leave = () => {
      clearTimeout(slow);
      if (counted) running -= 1;
      counted = false;
      schedule();
    };
    const slow = slowMs === undefined ? undefined : setTimeout(leave, slowMs);
    schedule();
    run(batch.map((entry) => entry.item))
      .then(
        (results) => {
          for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result);
        },
        (reason) => {
          for (const entry of batch) entry.reject(reason);
        },
      )
      .finally(() => {
        if (ended) ended(performance.now() - began);
        leave();
      });
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= most) return reject(new BatchFull(`${most} calls wait already.`));
      if (waiting.length === 0 && telemetry.metrics) since = performance.now();
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
