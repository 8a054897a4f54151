import type { Metadata } from "next";
import { filterNames, runOrder, runsQuery, stripQuery } from "#app/(console)/runs/queries.ts";
import { RunList } from "#app/(console)/runs/run-list.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { choicesQuery } from "#components/form/choices-query.ts";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage() {
  const { cursor, sort, ...filters } = await wantedFilters([...filterNames, "cursor", "sort"]);
  await prefetch(
    trpc.runs.list.queryOptions({ ...runsQuery(filters, cursor), ...runOrder(sort) }),
    trpc.runs.list.queryOptions(stripQuery(filters)),
    trpc.services.list.queryOptions(choicesQuery()),
  );
  return (
    <Hydrate>
      <RunList mayWrite={await may("runs:write")} />
    </Hydrate>
  );
}
