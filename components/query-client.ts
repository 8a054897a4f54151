import { defaultShouldDehydrateQuery, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

const TRIES = 3;

/** True unless the status is 4xx, which a retry would not change. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null }).data?.httpStatus;
  return failures < TRIES && !(status !== undefined && status >= 400 && status < 500);
}

/** Creates the cache of the pages' data; `onError` gets every failure, in addition to the component that shows it. */
export function makeQueryClient(onError?: (error: unknown) => void): QueryClient {
  return new QueryClient({
    ...(onError && {
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
    }),
    defaultOptions: {
      // The browser does not refetch data that the server has just rendered.
      queries: { staleTime: 30_000, retry: isWorthRetrying },
      mutations: { retry: false },
      dehydrate: {
        shouldDehydrateQuery: (query) =>
          defaultShouldDehydrateQuery(query) || query.state.status === "pending",
        // Next.js recognises its own errors by properties that redaction would remove.
        shouldRedactErrors: () => false,
      },
    },
  });
}
