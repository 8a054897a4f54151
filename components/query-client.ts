import { defaultShouldDehydrateQuery, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

const TRIES = 3;

/** A 4xx would be answered the same again. */
function worthRepeating(failures: number, error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null }).data?.httpStatus;
  return failures < TRIES && !(status !== undefined && status >= 400 && status < 500);
}

/** The cache of what pages show; `onError` gets every failure, beside the place that shows it. */
export function makeQueryClient(onError?: (error: unknown) => void): QueryClient {
  return new QueryClient({
    ...(onError && {
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
    }),
    defaultOptions: {
      // What the server has just rendered is not asked for again by the browser.
      queries: { staleTime: 30_000, retry: worthRepeating },
      mutations: { retry: false },
      dehydrate: {
        shouldDehydrateQuery: (query) =>
          defaultShouldDehydrateQuery(query) || query.state.status === "pending",
        // Next.js knows its own errors by what would be redacted.
        shouldRedactErrors: () => false,
      },
    },
  });
}
