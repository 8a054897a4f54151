import { dehydrate, type FetchQueryOptions, HydrationBoundary, type QueryKey } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cookies, headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache, type ReactNode, Suspense } from "react";
import { makeQueryClient } from "#components/query-client.ts";
import { wantedFilters } from "#components/table/wanted-filters.ts";
import { PageSkeleton } from "#components/ui/skeleton.tsx";
import { newId } from "#server/base/ids.ts";
import { codeOf } from "#server/base/thrown.ts";
import { readSessionToken, sessionCookie } from "#server/members/session-token.ts";
import { operations } from "#server/operations.ts";
import { createConsoleRouter } from "#server/transports/console-router.ts";
import type { ConsoleContext } from "#server/transports/procedures.ts";

const getQueryClient = cache(() => makeQueryClient());
const router = createConsoleRouter(operations);

const contextOfPage = cache(async (): Promise<ConsoleContext> => {
  const [cookie, header] = [await cookies(), await headers()];
  return {
    requestId: newId("request"),
    session: await readSessionToken(cookie.get(sessionCookie())?.value),
    origin: null,
    idempotencyKeys: [],
    project: (await wantedFilters(["projectId"])).projectId || null,
    // Our HTTP server has put the client's address into this header.
    ip: header.get("x-forwarded-for"),
    userAgent: header.get("user-agent"),
    cookies: [],
  };
});

/** The queries of server components: `await prefetch(trpc.projects.list.queryOptions())`. */
export const trpc = createTRPCOptionsProxy({ ctx: contextOfPage, router, queryClient: getQueryClient });

/** The ids of all operations, for choices. */
export const operationIds = [...new Set(operations.map(({ id }) => id))].sort();

// biome-ignore lint/suspicious/noExplicitAny: the client that reads the answers is typed.
type AnyQuery = FetchQueryOptions<any, any, any, any>;

/**
 * Runs queries in this process and keeps their data for the browser. If one fails, the browser repeats it and shows the
 * error.
 */
export async function prefetch(...queries: AnyQuery[]): Promise<void> {
  const client = getQueryClient();
  await Promise.all(queries.map((query) => client.prefetchQuery({ ...query, retry: false })));
}

/** Returns the prefetched data of a query; undefined if it was not prefetched or failed. */
export function readPrefetched<Key extends QueryKey>({ queryKey }: { queryKey: Key }) {
  return getQueryClient().getQueryData(queryKey);
}

/** Like `prefetch`, for the resource that a page shows: if it is missing, the page is "Not found". */
export async function prefetchSubject(query: AnyQuery): Promise<void> {
  await prefetch(query);
  if (isMissing(query)) notFound();
}

/** True if `prefetch` has found that the query's resource does not exist. */
export function isMissing({ queryKey }: Pick<AnyQuery, "queryKey">): boolean {
  const { error } = getQueryClient().getQueryState(queryKey) ?? {};
  return codeOf(error) === "NOT_FOUND";
}

/**
 * Passes the prefetched data to the client components inside it. Only a page with missing data starts as a skeleton:
 * React replaces a skeleton at the earliest after 300 ms, and most pages are ready in 100.
 */
export function Hydrate({ children }: { children: ReactNode }) {
  const client = getQueryClient();
  const lacks = client
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.status !== "success");
  return (
    <HydrationBoundary state={dehydrate(client)}>
      {lacks ? <Suspense fallback={<PageSkeleton />}>{children}</Suspense> : children}
    </HydrationBoundary>
  );
}
