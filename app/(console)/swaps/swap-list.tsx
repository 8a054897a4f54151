"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type SymbolOf, useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { swapList } from "#app/(console)/swaps/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { useNetworks } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { useNames } from "#components/use-names.ts";
import type { Swap } from "#server/swaps/schema.ts";

const columnsWith = (
  symbolOf: SymbolOf,
  nameOf: (network: string) => string,
  wallets: ReadonlyMap<string, string>,
): Column<Swap>[] => [
  {
    header: "Given",
    cell: ({ from }) => <Amount value={from.amount} unit={symbolOf(from.network, from.asset)} />,
    csv: ({ from }) => `${from.amount} ${symbolOf(from.network, from.asset)}`,
  },
  {
    header: "Received",
    cell: ({ to }) => (
      <Amount
        value={to.received ?? to.expected}
        unit={`${symbolOf(to.network, to.asset)}${to.received ? "" : " expected"}`}
      />
    ),
    csv: ({ to }) => to.received && `${to.received} ${symbolOf(to.network, to.asset)}`,
  },
  {
    header: "Expected",
    cell: ({ to }) => <Amount value={to.expected} unit={symbolOf(to.network, to.asset)} />,
    csv: ({ to }) => `${to.expected} ${symbolOf(to.network, to.asset)}`,
    optional: true,
  },
  {
    header: "Networks",
    cell: ({ from, to }) =>
      from.network === to.network ? nameOf(from.network) : `${nameOf(from.network)} to ${nameOf(to.network)}`,
    csv: ({ from, to }) => `${from.network} ${to.network}`,
    minor: true,
  },
  {
    header: "Wallet",
    cell: ({ walletId }) => wallets.get(walletId) ?? shorten(walletId),
    csv: ({ walletId }) => walletId,
    optional: true,
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "9rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
  },
  idColumn,
];

/** Lists the swaps, completed and running. */
export function SwapList({ maySwap }: { maySwap: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(swapList);
  const { symbolOf } = useSymbols();
  const { nameOf } = useNetworks();
  const list = useQuery({
    ...trpc.swaps.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  const shownWallets = state.view.columns.Wallet ? list.data?.swaps : undefined;
  const wallets = useNames(shownWallets?.map(({ walletId }) => walletId) ?? []);
  const columns = columnsWith(symbolOf, nameOf, wallets);
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
      <ListTable
        state={state}
        label="Swaps"
        columns={columns}
        list={list}
        failed="The swaps could not be loaded."
        ask={client.swaps.list.query}
        rowsOf={({ swaps }) => swaps}
        rowHref={({ id }) => `${routes.swaps.read(id)}${state.suffix}`}
        empty={<NoSwaps />}
      />
    </Page>
  );
}

function NoSwaps() {
  const call = { method: "GET", path: "/swaps/tokens", idempotent: false };
  return (
    <EmptyState title="No swaps yet" curl={curlOf(useOrigin(), call)}>
      A swap sells exactly your amount and receives at least the quote’s minimum, or sells nothing.
    </EmptyState>
  );
}
