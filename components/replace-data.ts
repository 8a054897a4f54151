import type { DataTag, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Replaces a query's data with the response to a change. A read that is still running may have begun before the change, so
 * its response is ignored.
 */
export async function replaceData<Data, Failure>(
  queries: QueryClient,
  queryKey: DataTag<QueryKey, Data, Failure>,
  data: NoInfer<Data>,
): Promise<void> {
  await queries.cancelQueries({ queryKey });
  queries.setQueryData<Data>(queryKey, data);
}
