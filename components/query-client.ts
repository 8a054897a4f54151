import { defaultShouldDehydrateQuery, QueryClient } from "@tanstack/react-query";

const TRIES = 3;

/** A 4xx would be answered the same again. */
function worthRepeating(failures: number, error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null }).data?.httpStatus;
  return failures < TRIES && !(status !== undefined && status >= 400 && status < 500);
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
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
