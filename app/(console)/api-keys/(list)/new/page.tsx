import type { Metadata } from "next";
import { LazyNewKey } from "#app/(console)/api-keys/(list)/new/lazy-new-key.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { activeProjectsQuery } from "#components/form/choices-query.ts";
import { routes } from "#components/routes.ts";

export const metadata: Metadata = { title: "New key" };

export default async function NewKeyPage() {
  await prefetch(
    trpc.apiKeys.access.read.queryOptions({}),
    trpc.projects.list.queryOptions(activeProjectsQuery()),
  );
  return (
    <Hydrate>
      <LazyNewKey over={routes.apiKeys.list()} />
    </Hydrate>
  );
}
