"use client";

import { useQuery } from "@tanstack/react-query";
import { positionQuery } from "#app/(console)/trading/queries.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Amount, Usd } from "#components/ui/amount.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { useNames } from "#components/use-names.ts";
import type { Position } from "#server/trading/schema.ts";

const POLL_MS = 5000;

const usd = (value: string | null, absent = "no price") => (value === null ? absent : <Usd value={value} />);

const columnsWith = (wallets: ReadonlyMap<string, string>): Column<Position>[] => [
  { header: "Symbol", cell: ({ symbol }) => symbol },
  { header: "Wallet", cell: ({ walletId }) => wallets.get(walletId) ?? shorten(walletId) },
  { header: "Quantity", cell: ({ quantity }) => <Amount value={quantity} unit="" />, align: "end" },
  {
    header: "Average entry",
    cell: ({ averageEntryPrice }) => usd(averageEntryPrice, "none"),
    align: "end",
    minor: true,
  },
  { header: "Market price", cell: ({ marketPrice }) => usd(marketPrice), align: "end" },
  {
    header: "Worth",
    plain: true,
    cell: ({ marketValueUsd }) => usd(marketValueUsd),
    align: "end",
    minor: true,
  },
  { header: "Unrealised", cell: ({ unrealizedPnlUsd }) => usd(unrealizedPnlUsd), align: "end" },
  { header: "Realised", cell: ({ realizedPnlUsd }) => usd(realizedPnlUsd), align: "end" },
];

/** Shows each wallet's positions from its fills, at average cost. */
export function Positions() {
  const trpc = useTRPC();
  const { values } = useFilters(["endUser"]);
  const { data, error, isError } = useQuery({
    ...trpc.trading.positions.list.queryOptions(positionQuery(values)),
    refetchInterval: POLL_MS,
  });
  const wallets = useNames(data?.positions.map(({ walletId }) => walletId) ?? []);
  return (
    <Section title="Positions" description={values.endUser && "Of the same end user as the orders below."}>
      <ErrorNotice what="The positions could not be loaded." error={error} />
      <DataTable
        label="Positions"
        columns={columnsWith(wallets)}
        rows={data?.positions}
        failed={isError}
        rowId={({ walletId, symbol }) => `${walletId}/${symbol}`}
        empty={<p className="p-4 text-muted">None yet. A filled order makes one.</p>}
      />
    </Section>
  );
}
