import type { Metadata } from "next";
import { LazyNewKey } from "#app/(console)/api-keys/(list)/new/lazy-new-key.tsx";
import { rootsQuery } from "#app/(console)/api-keys/queries.ts";
import { Hydrate, prefetch, readPrefetched, trpc } from "#app/trpc-server.tsx";
import { activeProjectsQuery } from "#components/form/choices-query.ts";
import { routes } from "#components/routes.ts";

export const metadata: Metadata = { title: "New key" };

export default async function NewKeyPage() {
  const roots = trpc.apiKeys.list.queryOptions(rootsQuery());
  await prefetch(
    roots,
    trpc.apiKeys.access.read.queryOptions({}),
    trpc.projects.list.queryOptions(activeProjectsQuery()),
  );
  const isFirst = readPrefetched(roots)?.apiKeys.length === 0;
  return (
    <Hydrate>
      <LazyNewKey over={routes.apiKeys.list()} {...(isFirst && { startWith: "Backend" })} />
    </Hydrate>
  );
}
