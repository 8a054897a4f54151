import type { Metadata } from "next";
import { LazyNewKey } from "#app/(console)/api-keys/(list)/new/lazy-new-key.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { activeProjectsQuery } from "#components/form/choices-query.ts";
import { routes } from "#components/routes.ts";

export const metadata: Metadata = { title: "New key" };

export default async function NewProjectKeyPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  await prefetch(
    trpc.apiKeys.access.read.queryOptions({}),
    trpc.projects.list.queryOptions(activeProjectsQuery()),
  );
  return (
    <Hydrate>
      <LazyNewKey projectId={projectId} over={routes.projects.read(projectId)} />
    </Hydrate>
  );
}
