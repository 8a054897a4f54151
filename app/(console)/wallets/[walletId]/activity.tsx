"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { activityQuery } from "#app/(console)/wallets/queries.ts";
import { Address, type AddressNames, NamedText, useAddressNames } from "#components/address-names.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Activity as Entry } from "#server/wallets/activity/list-activity.ts";

/** A row of the table: an entry, or below it a transaction that a swap or order has sent. */
interface Line {
  id: string;
  summary: string;
  status: string;
  at: string;
  href: string;
  /** The number of the entry's own transactions; 0 for a row below an entry. */
  parts: number;
  depth: number;
}

const columnsWith = (names: AddressNames): Column<Line>[] => [
  { header: "What", cell: ({ summary }) => <NamedText text={summary} names={names} /> },
  { header: "Status", plain: true, cell: ({ status }) => <Status value={status} />, width: "10rem" },
  { header: "At", plain: true, cell: ({ at }) => <RelativeTime at={at} />, width: "8rem" },
];

/** Shows the wallet's outgoing and incoming transactions in words; those of a swap or order are below it. */
export function Activity({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const cursor = useCursor();
  const filters = useFilters(["to"]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const query = activityQuery(walletId, { cursor, ...filters.values });
  const list = useQuery({
    ...trpc.wallets.activity.list.queryOptions(query),
    placeholderData: keepPreviousData,
  });
  const lines = list.data?.activity.flatMap((entry) => linesOf(walletId, entry, open.has(entry.id)));
  const names = useAddressNames(lines?.map(({ summary }) => summary) ?? []);
  const nested = lines?.some(({ parts }) => parts > 0) ?? false;

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
      {query.to && (
        <div className="flex flex-wrap items-center justify-between gap-2 text-13">
          <div className="min-w-0">
            Only what was sent to <Address address={query.to} />
          </div>
          <Button size="sm" onClick={filters.clear}>
            Show all activity
          </Button>
        </div>
      )}
      <ErrorNotice what="The activity could not be loaded." error={list.error} />
      <DataTable
        label="Activity"
        columns={columnsWith(names)}
        rows={lines}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ href }) => href}
        {...(nested && { rowBranch: branchOf })}
        empty={<p className="p-4 text-muted">None yet.</p>}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Section>
  );
}

function linesOf(walletId: string, entry: Entry, open: boolean): Line[] {
  const { id, type, summary, status, at, transactions } = entry;
  if (type === "transaction")
    return [{ id, summary, status, at, href: routes.wallets.transaction(walletId, id), parts: 0, depth: 0 }];
  const href = type === "swap" ? routes.swaps.read(id) : routes.trading.read(id);
  const whole = { id, summary, status, at, href, parts: transactions.length, depth: 0 };
  if (!open) return [whole];
  const parts = transactions.map((part) => ({
    id: part.id,
    summary: part.summary,
    status: part.status,
    at: part.createdAt,
    href: routes.wallets.transaction(walletId, part.id),
    parts: 0,
    depth: 1,
  }));
  return [whole, ...parts];
}
