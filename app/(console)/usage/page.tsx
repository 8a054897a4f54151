import type { Metadata } from "next";
import { filterNames, usageQueries } from "#app/(console)/usage/queries.ts";
import { Usage } from "#app/(console)/usage/usage.tsx";
import { Hydrate, operationIds, prefetch, trpc } from "#app/trpc-server.tsx";
import { choicesQuery } from "#components/form/choices-query.ts";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Usage" };

export default async function UsagePage() {
  const openedAt = Date.now();
  const { overTime, perGroup } = usageQueries(await wantedFilters(filterNames), openedAt);
  await prefetch(
    trpc.usage.read.queryOptions(overTime),
    trpc.usage.read.queryOptions(perGroup),
    trpc.apiKeys.list.queryOptions(choicesQuery()),
    trpc.endUsers.list.queryOptions(choicesQuery()),
    trpc.storage.read.queryOptions({}),
  );
  return (
    <Hydrate>
      <Usage openedAt={openedAt} operationIds={operationIds} />
    </Hydrate>
  );
}
