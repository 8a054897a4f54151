"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { orderList } from "#app/(console)/trading/queries.ts";
import { isOpen, useCancelling } from "#app/(console)/trading/use-cancelling.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Usd } from "#components/ui/amount.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { useNames } from "#components/use-names.ts";
import type { Order } from "#server/trading/schema.ts";

function orderText({ side, quantity, symbol }: Order): string {
  return `${side === "buy" ? "Buy" : "Sell"} ${quantity} ${symbol}`;
}

const columnsWith = (wallets: ReadonlyMap<string, string>): Column<Order>[] => [
  {
    header: "Order",
    cell: orderText,
    csv: ({ side, quantity, symbol }) => `${side} ${quantity} ${symbol}`,
  },
  {
    header: "Price",
    cell: ({ type, limitPrice }) => (type === "market" ? "Market" : <Usd value={limitPrice ?? ""} />),
    csv: ({ type, limitPrice }) => (type === "market" ? type : limitPrice),
    align: "end",
    minor: true,
  },
  {
    header: "Filled",
    cell: ({ filledQuantity }) => filledQuantity,
    csv: ({ filledQuantity }) => filledQuantity,
    align: "end",
  },
  {
    header: "Average",
    cell: ({ averagePrice }) => (averagePrice === null ? "none" : <Usd value={averagePrice} />),
    csv: ({ averagePrice }) => averagePrice,
    align: "end",
    minor: true,
  },
  {
    header: "Wallet",
    cell: ({ walletId }) => wallets.get(walletId) ?? shorten(walletId),
    csv: ({ walletId }) => walletId,
    optional: true,
  },
  {
    header: "Reference",
    cell: ({ clientReference }) => clientReference ?? "–",
    csv: ({ clientReference }) => clientReference,
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

/** Lists the orders; those that wait for their price can be cancelled. */
export function Orders({ mayTrade }: { mayTrade: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const state = useList(orderList);
  const cancelling = useCancelling();
  const list = useQuery({
    ...trpc.trading.orders.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  const shownWallets = state.view.columns.Wallet ? list.data?.orders : undefined;
  const wallets = useNames(shownWallets?.map(({ walletId }) => walletId) ?? []);
  const { data: venue } = useQuery(trpc.trading.markets.list.queryOptions());
  const symbol = venue?.markets.map(({ symbol }) => ({ value: symbol, label: symbol })) ?? [];
  const selection = useSelection<Order>({ idOf: ({ id }) => id, nameOf: orderText, fits: isOpen });
  return (
    <Section title="Orders">
      <ListTable
        state={state}
        label="Orders"
        columns={columnsWith(wallets)}
        options={{ symbol }}
        list={list}
        failed="The orders could not be loaded."
        ask={client.trading.orders.list.query}
        rowsOf={({ orders }) => orders}
        rowHref={({ id }) => `${routes.trading.read(id)}${state.suffix}`}
        rowMenu={(order) =>
          mayTrade && isOpen(order)
            ? [{ label: "Cancel order", danger: true, onSelect: () => cancelling.ask(order) }]
            : []
        }
        {...(mayTrade && { selection })}
        empty={<p className="p-4 text-muted">None yet.</p>}
      >
        <Many
          selection={selection}
          counted={countedBy("order")}
          noteOf={({ createdAt }) => <RelativeTime at={createdAt} />}
          actions={[
            {
              verb: "Cancel",
              danger: true,
              text: "Each order's reservation is released. Fills stay.",
              act: ({ id }) => client.trading.orders.cancel.mutate({ orderId: id }),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.trading.pathFilter())}
        />
      </ListTable>
      {cancelling.dialog}
    </Section>
  );
}
