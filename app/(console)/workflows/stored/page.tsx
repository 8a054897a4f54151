import type { Metadata } from "next";
import { filterNames, storedQuery } from "#app/(console)/workflows/stored/queries.ts";
import { StoredList } from "#app/(console)/workflows/stored/stored-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Stored workflows" };

export default async function StoredWorkflowsPage() {
  const { cursor, ...filters } = await wantedFilters([...filterNames, "cursor"]);
  await prefetch(trpc.workflows.list.queryOptions(storedQuery(filters, cursor)));
  return (
    <Hydrate>
      <StoredList mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
