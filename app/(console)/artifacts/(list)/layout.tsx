import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ArtifactList } from "#app/(console)/artifacts/artifact-list.tsx";
import { artifactList } from "#app/(console)/artifacts/queries.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Artifacts" };

export default async function ArtifactsLayout({ children }: { children: ReactNode }) {
  const asked = artifactList.query(await wantedFilters(artifactList.names));
  await prefetch(trpc.artifacts.list.queryOptions(asked));
  return (
    <Hydrate>
      <ArtifactList />
      {children}
    </Hydrate>
  );
}
