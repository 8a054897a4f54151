import type { Metadata } from "next";
import { StoredDetail } from "#app/(console)/workflows/stored/[workflowId]/stored-detail.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Stored workflow" };

export default async function StoredWorkflowPage({ params }: { params: Promise<{ workflowId: string }> }) {
  const { workflowId } = await params;
  await prefetchSubject(trpc.workflows.read.queryOptions({ workflowId }));
  return (
    <Hydrate>
      <StoredDetail workflowId={workflowId} mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
