import type { Query, QueryClient } from "@tanstack/react-query";
import { isWorthRepeating } from "#components/ui/problem.ts";

/** True if the page reads by a query that failed with this error, and the query may succeed when it is repeated. */
export function canReadAgain(queries: QueryClient, error: unknown): boolean {
  const failed = queries.getQueryCache().findAll({ type: "active", predicate: isFailed });
  return failed.some(({ state }) => state.error === error);
}

/** Repeats every query of the page that may succeed now: one cause often fails several. */
export function readAgain(queries: QueryClient): Promise<void> {
  return queries.refetchQueries({ type: "active", predicate: isFailed });
}

const isFailed = ({ state }: Query) => state.error !== null && isWorthRepeating(state.error);
