type Begin = (text: string) => ((reason?: unknown) => void) | null;

let begin: Begin | null = null;

/**
 * Observes every Drizzle statement: `begins` is called with it and returns a function to call at its end. Null stops
 * that.
 */
export function followQueries(begins: Begin | null): void {
  begin = begins;
}

/** Calls the observer with the statement's text, without its values. */
export function followed<Query extends PromiseLike<unknown>>(text: string, query: Query): Query {
  const end = begin?.(text);
  // The driver sends a query when its result is awaited; Drizzle awaits it in this same turn, after choosing the
  // result's format.
  if (end) query.then(() => end(), end);
  return query;
}
