import type { Metadata } from "next";
import { NewWorkflow } from "#app/(console)/workflows/new/new-workflow.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "New workflow" };

export default async function NewWorkflowPage() {
  const { from, stored } = await wantedFilters(["from", "stored"]);
  if (from) await prefetchSubject(trpc.runs.read.queryOptions({ runId: from }));
  if (stored) await prefetchSubject(trpc.workflows.read.queryOptions({ workflowId: stored }));
  return (
    <Hydrate>
      <NewWorkflow from={from} stored={stored} mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
