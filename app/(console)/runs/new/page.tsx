import type { Metadata } from "next";
import { NewRun } from "#app/(console)/runs/new/new-run.tsx";
import { runnable } from "#app/(console)/runs/queries.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "New run" };

export default async function NewRunPage() {
  const { serviceId, operationId, from } = await wantedFilters(["serviceId", "operationId", "from"]);
  await Promise.all([
    prefetch(trpc.capabilities.list.queryOptions(runnable())),
    serviceId &&
      operationId &&
      prefetch(trpc.capabilities.list.queryOptions(runnable(`${serviceId} ${operationId}`))),
    from && prefetch(trpc.runs.read.queryOptions({ runId: from })),
  ]);
  return (
    <Hydrate>
      <NewRun wanted={{ serviceId, operationId }} from={from} />
    </Hydrate>
  );
}
