import { ArtifactPanel } from "#app/(console)/artifacts/(list)/[artifactId]/artifact-panel.tsx";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export default async function ArtifactPage({ params }: { params: Promise<{ artifactId: string }> }) {
  const { artifactId } = await params;
  await prefetchSubject(trpc.artifacts.content.read.queryOptions({ artifactId }));
  return (
    <Hydrate>
      <ArtifactPanel artifactId={artifactId} />
    </Hydrate>
  );
}
