"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { activityList } from "#app/(console)/wallets/[walletId]/queries.ts";
import { type AddressNames, NamedText, useAddressNames } from "#components/address-names.tsx";
import { useNetworks } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import type { CsvColumn } from "#components/table/csv.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { NoMatches } from "#components/table/filter-bar.tsx";
import { idColumn } from "#components/table/id-column.tsx";
import { ListBar } from "#components/table/list-bar.tsx";
import { Pagination } from "#components/table/pagination.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Activity as Entry } from "#server/wallets/activity/list-activity.ts";

type Transaction = Entry["transactions"][number];

/** A row of the table: an entry, or below it a transaction that a swap or order has sent. */
interface Line {
  id: string;
  summary: string;
  status: string;
  at: string;
  href: string;
  /** Null for a swap or an order. */
  transaction: Transaction | null;
  /** The number of the entry's own transactions; 0 for a row below an entry. */
  parts: number;
  depth: number;
}

type CsvValue = ReturnType<CsvColumn<Line>["value"]>;

const exported = (header: string, value: (transaction: Transaction) => CsvValue): CsvColumn<Line> => ({
  header,
  value: ({ transaction }) => transaction && value(transaction),
});

const columnsWith = (names: AddressNames): Column<Line>[] => [
  {
    header: "Activity",
    cell: ({ summary }) => <NamedText text={summary} names={names} />,
    csv: [
      { header: "Activity", value: ({ summary }) => summary },
      exported("Direction", ({ direction }) => direction),
      exported("Network", ({ network }) => network),
      exported("From", ({ from }) => from),
      exported("To", ({ to }) => to),
      exported("Asset", ({ asset }) => asset),
      exported("Amount", ({ amount }) => amount),
      exported("Fee", ({ feePaid }) => feePaid),
      exported("Reference", ({ clientReference }) => clientReference),
      exported("Swap or order", ({ source }) => source?.id),
    ],
  },
  {
    header: "Hash",
    cell: ({ transaction }) => transaction?.hash && <Copyable value={transaction.hash} />,
    csv: ({ transaction }) => transaction?.hash,
    optional: true,
    width: "11rem",
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "10rem",
  },
  {
    header: "At",
    plain: true,
    cell: ({ at }) => <RelativeTime at={at} />,
    csv: ({ at }) => at,
    sort: "createdAt",
    width: "8rem",
  },
  idColumn,
];

/** Shows the wallet's outgoing and incoming transactions in words; those of a swap or order are below it. */
export function Activity({ walletId, networks }: { walletId: string; networks: readonly string[] }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { nameOf } = useNetworks();
  const state = useList(activityList);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const list = useQuery({
    ...trpc.wallets.activity.list.queryOptions({ ...state.query, walletId }),
    placeholderData: keepPreviousData,
  });
  const lines = list.data?.activity.flatMap((entry) => linesOf(walletId, entry, open.has(entry.id)));
  const names = useAddressNames(lines?.map(({ summary }) => summary) ?? []);
  const nested = lines?.some(({ parts }) => parts > 0) ?? false;
  const columns = columnsWith(names);

  function toggle(id: string) {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  }

  const branchOf = ({ id, parts, depth }: Line) => ({
    depth,
    open: parts > 0 ? open.has(id) : null,
    toggle: () => toggle(id),
    label: parts === 1 ? "its transaction" : `its ${parts} transactions`,
  });

  return (
    <Section title="Activity">
      <ListBar
        state={state}
        columns={columns}
        options={{ network: networks.map((value) => ({ value, label: nameOf(value) })) }}
        page={async (query) => {
          const { activity, nextCursor } = await client.wallets.activity.list.query({ ...query, walletId });
          return { rows: activity.flatMap((entry) => transactionsOf(walletId, entry, 0)), nextCursor };
        }}
      />
      <ErrorNotice what="The activity could not be loaded." error={list.error} />
      <DataTable
        label="Activity"
        view={state.view}
        columns={columns}
        rows={lines}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ href }) => (href.startsWith(routes.wallets.read(walletId)) ? href + state.suffix : href)}
        {...(nested && { rowBranch: branchOf })}
        empty={
          state.filters.active ? (
            <NoMatches filters={state.filters} />
          ) : (
            <p className="p-4 text-muted">None yet.</p>
          )
        }
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} total={list.data?.total} />}
      />
    </Section>
  );
}

/** Returns an entry's transactions as rows. */
function transactionsOf(walletId: string, { transactions }: Entry, depth: number): Line[] {
  return transactions.map((transaction) => ({
    id: transaction.id,
    summary: transaction.summary,
    status: transaction.status,
    at: transaction.createdAt,
    href: routes.wallets.transaction(walletId, transaction.id),
    transaction,
    parts: 0,
    depth,
  }));
}

function linesOf(walletId: string, entry: Entry, open: boolean): Line[] {
  const { id, type, summary, status, at, transactions } = entry;
  if (type === "transaction") return transactionsOf(walletId, entry, 0);
  const href = type === "swap" ? routes.swaps.read(id) : routes.trading.read(id);
  const whole = {
    id,
    summary,
    status,
    at,
    href,
    transaction: null,
    parts: transactions.length,
    depth: 0,
  };
  return open ? [whole, ...transactionsOf(walletId, entry, 1)] : [whole];
}
