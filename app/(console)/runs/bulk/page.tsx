import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { BulkRuns } from "#app/(console)/runs/bulk/bulk-runs.tsx";
import { bulkQuery, isBulkAction } from "#app/(console)/runs/bulk/queries.ts";
import { runList } from "#app/(console)/runs/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Runs" };

export default async function BulkRunsPage() {
  const { action, ...filters } = await wantedFilters([...runList.filterNames, "action"]);
  if (!isBulkAction(action) || !(await may("runs:write"))) notFound();
  await prefetch(trpc.runs.list.queryOptions(bulkQuery(action, filters)));
  return (
    <Hydrate>
      <BulkRuns key={action} action={action} filters={filters} />
    </Hydrate>
  );
}
