import type { Metadata } from "next";
import { runList, stripQuery } from "#app/(console)/runs/queries.ts";
import { RunList } from "#app/(console)/runs/run-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage() {
  const wanted = await wantedFilters(runList.names);
  const { cursor: _, sort: __, ...filters } = wanted;
  await prefetch(
    trpc.runs.list.queryOptions(runList.query(wanted)),
    trpc.runs.list.queryOptions(stripQuery(filters)),
  );
  return (
    <Hydrate>
      <RunList mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
