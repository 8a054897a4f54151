import type { Metadata } from "next";
import { CreditsPage } from "#app/(console)/credits/credits-page.tsx";
import { may, requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Credits" };

export default async function Credits() {
  const { cursor } = await wantedFilters(["cursor"]);
  const { accountId } = await requirePerson();
  await prefetch(
    trpc.credits.balance.read.queryOptions(),
    trpc.credits.ledger.list.queryOptions({ ...(cursor && { cursor }) }),
  );
  return (
    <Hydrate>
      <CreditsPage accountId={accountId} mayBuy={await may("credits:write")} />
    </Hydrate>
  );
}
