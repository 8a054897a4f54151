import type { Metadata } from "next";
import { LazyStartKey } from "#app/(console)/(overview)/start/key/lazy-start-key.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { activeProjectsQuery } from "#components/form/choices-query.ts";

export const metadata: Metadata = { title: "New key" };

export default async function StartKeyPage() {
  await prefetch(
    trpc.apiKeys.access.read.queryOptions({}),
    trpc.projects.list.queryOptions(activeProjectsQuery()),
  );
  return (
    <Hydrate>
      <LazyStartKey />
    </Hydrate>
  );
}
