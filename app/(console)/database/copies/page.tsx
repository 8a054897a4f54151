import type { Metadata } from "next";
import { Copies } from "#app/(console)/database/copies/copies.tsx";
import { copyList } from "#app/(console)/database/copies/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Copies" };

export default async function CopiesPage() {
  const { transfer, ...wanted } = await wantedFilters([...copyList.names, "transfer"]);
  await prefetch(trpc.databases.transfers.list.queryOptions(copyList.query(wanted)));
  return (
    <Hydrate>
      <Copies transferId={transfer} mayWrite={await may("databases:write")} />
    </Hydrate>
  );
}
