/**
 * Returns the results of the work for each item, which begins in their order, with at most so many under way. A process
 * that is killed after some results is killed before the work for the last items begins, however fast the machine is.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const workThrough = async () => {
    for (const [nth, item] of rest) results[nth] = await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, workThrough));
  return results;
}
