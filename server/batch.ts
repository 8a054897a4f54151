/**
 * Collects what is asked for within a turn of the event loop and hands it over as one batch, with at most `inFlight`
 * batches under way: while they are, the next one grows. One round trip then serves many requests.
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { inFlight, size }: { inFlight: number; size: number },
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (reason: unknown) => void }[] = [];
  let running = 0;
  let scheduled = false;

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
        running -= 1;
        schedule();
      });
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
