import type { Metadata } from "next";
import { NewWorkflow } from "#app/(console)/workflows/new/new-workflow.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "New workflow" };

export default async function NewWorkflowPage() {
  const { from } = await wantedFilters(["from"]);
  if (from) await prefetchSubject(trpc.runs.read.queryOptions({ runId: from }));
  return (
    <Hydrate>
      <NewWorkflow from={from} mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
