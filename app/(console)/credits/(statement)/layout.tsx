import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CreditsPage } from "#app/(console)/credits/credits-page.tsx";
import { balanceQuery, ledgerList, spendQueries } from "#app/(console)/credits/queries.ts";
import { may, requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Credits" };

export default async function CreditsLayout({ children }: { children: ReactNode }) {
  const { by, ...values } = await wantedFilters([...ledgerList.names, "by"]);
  const { accountId } = await requirePerson();
  const { perDay, perGroup } = spendQueries(by);
  await prefetch(
    trpc.credits.balance.read.queryOptions(balanceQuery),
    trpc.usage.read.queryOptions(perDay),
    trpc.usage.read.queryOptions(perGroup),
    trpc.credits.ledger.list.queryOptions(ledgerList.query(values)),
  );
  return (
    <Hydrate>
      <CreditsPage accountId={accountId} mayBuy={await may("credits:write")} />
      {children}
    </Hydrate>
  );
}
