import type { Metadata } from "next";
import { LazyNewKey } from "#app/(console)/api-keys/(list)/new/lazy-new-key.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { activeProjectsQuery } from "#components/form/choices-query.ts";
import { routes } from "#components/routes.ts";

export const metadata: Metadata = { title: "New key" };

export default async function NewKeyBelowPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await prefetch(
    trpc.apiKeys.access.read.queryOptions({ keyId: id }),
    trpc.projects.list.queryOptions(activeProjectsQuery()),
  );
  return (
    <Hydrate>
      <LazyNewKey parentId={id} over={routes.apiKeys.read(id)} />
    </Hydrate>
  );
}
