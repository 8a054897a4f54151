import type { Metadata } from "next";
import { storedList } from "#app/(console)/workflows/stored/queries.ts";
import { StoredList } from "#app/(console)/workflows/stored/stored-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Stored workflows" };

export default async function StoredWorkflowsPage() {
  const asked = storedList.query(await wantedFilters(storedList.names));
  await prefetch(trpc.workflows.list.queryOptions(asked));
  return (
    <Hydrate>
      <StoredList mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
