import { Suspended } from "./run-context.ts";

/**
 * Works on items in order, a few at a time. A suspended item keeps its place; after a failure no further item begins.
 * Running items are awaited first; a failure is thrown rather than a suspension.
 */
export async function mapBounded<Item, T>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<T>,
): Promise<T[]> {
  const results = new Array<T>(items.length);
  const open = items.entries();
  const failures: unknown[] = [];
  let suspended: Suspended | undefined;

  async function workThroughItems() {
    for (const [index, item] of open) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item, index);
      } catch (reason) {
        if (!(reason instanceof Suspended)) failures.push(reason);
        else suspended = reason;
        return;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, workThroughItems));
  if (failures.length > 0) throw failures[0];
  if (suspended) throw suspended;
  return results;
}
