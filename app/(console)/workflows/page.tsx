import type { Metadata } from "next";
import { workflowList } from "#app/(console)/workflows/queries.ts";
import { WorkflowList } from "#app/(console)/workflows/workflow-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Workflows" };

export default async function WorkflowsPage() {
  const asked = workflowList.query(await wantedFilters(workflowList.names));
  await prefetch(trpc.runs.list.queryOptions(asked));
  return (
    <Hydrate>
      <WorkflowList mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
