"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type SymbolOf, useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { useNetworks } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Swap } from "#server/swaps/schema.ts";

const columnsWith = (symbolOf: SymbolOf, nameOf: (network: string) => string): Column<Swap>[] => [
  {
    header: "Given",
    cell: ({ from }) => <Amount value={from.amount} unit={symbolOf(from.network, from.asset)} />,
  },
  {
    header: "Received",
    cell: ({ to }) => (
      <Amount
        value={to.received ?? to.expected}
        unit={`${symbolOf(to.network, to.asset)}${to.received ? "" : " expected"}`}
      />
    ),
  },
  {
    header: "Networks",
    cell: ({ from, to }) =>
      from.network === to.network ? nameOf(from.network) : `${nameOf(from.network)} to ${nameOf(to.network)}`,
    minor: true,
  },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "9rem" },
  { header: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: "8rem" },
];

/** What was exchanged, and what is under way. */
export function SwapList({ maySwap }: { maySwap: boolean }) {
  const trpc = useTRPC();
  const cursor = useCursor();
  const { symbolOf } = useSymbols();
  const { nameOf } = useNetworks();
  const list = useQuery({
    ...trpc.swaps.list.queryOptions({ ...(cursor && { cursor }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page>
      <PageHeader
        title="Swaps"
        sentence="One asset for another, within a chain or across two, with the least that is received fixed beforehand."
        action={
          maySwap && (
            <ButtonLink variant="primary" href={routes.swaps.create()}>
              New swap
            </ButtonLink>
          )
        }
      />
      <ErrorNotice what="The swaps could not be loaded." error={list.error} />
      <DataTable
        label="Swaps"
        columns={columnsWith(symbolOf, nameOf)}
        rows={list.data?.swaps}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.swaps.read(id)}
        empty={<NoSwaps />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Page>
  );
}

function NoSwaps() {
  const call = { method: "GET", path: "/swaps/tokens", idempotent: false };
  return (
    <EmptyState title="No swaps yet" curl={curlOf(useOrigin(), call)}>
      A swap gives exactly what you say and receives at least what its quote promises, or gives nothing.
    </EmptyState>
  );
}
