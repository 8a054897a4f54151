import { LazyFilePanel } from "#app/(console)/files/(list)/[fileId]/lazy-file-panel.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export default async function FilePage({ params }: { params: Promise<{ fileId: string }> }) {
  const { fileId } = await params;
  await prefetchSubject(trpc.files.read.queryOptions({ fileId }));
  return (
    <Hydrate>
      <LazyFilePanel fileId={fileId} mayWrite={await may("files:write")} />
    </Hydrate>
  );
}
