"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type SymbolOf, useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Transaction } from "#server/wallets/transactions/schema.ts";

const columnsWith = (symbolOf: SymbolOf): Column<Transaction>[] => [
  { header: "What", cell: ({ direction }) => (direction === "in" ? "Received" : "Sent"), width: "7rem" },
  {
    header: "Amount",
    cell: ({ amount, network, asset }) => <Amount value={amount} unit={symbolOf(network, asset)} />,
  },
  { header: "To", cell: ({ to }) => <Copyable value={to} />, minor: true },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "10rem" },
  { header: "At", cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: "8rem" },
];

/** What the wallet has sent and received, and what is under way. */
export function Transactions({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const cursor = useCursor();
  const { symbolOf } = useSymbols();
  const list = useQuery({
    ...trpc.wallets.transactions.list.queryOptions({ walletId, ...(cursor && { cursor }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Transactions">
      <ErrorNotice what="The transactions could not be loaded." error={list.error} />
      <DataTable
        label="Transactions"
        columns={columnsWith(symbolOf)}
        rows={list.data?.transactions}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.wallets.transaction(walletId, id)}
        empty={<p className="p-4 text-muted">None yet.</p>}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Section>
  );
}
