type Begin = (text: string) => ((reason?: unknown) => void) | null;

let begin: Begin | null = null;

/** Has every statement of Drizzle followed: `begins` returns what its end is said to. Null ends that. */
export function followQueries(begins: Begin | null): void {
  begin = begins;
}

/** Calls the follower with the statement, without its values. */
export function followed<Query extends PromiseLike<unknown>>(text: string, query: Query): Query {
  const end = begin?.(text);
  // The driver sends what is asked for its result; Drizzle, which names the form of it first, does so in this same turn.
  if (end) query.then(() => end(), end);
  return query;
}
