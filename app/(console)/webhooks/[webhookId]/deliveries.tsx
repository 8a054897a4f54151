"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { deliveriesOf, filterNames, statuses } from "#app/(console)/webhooks/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSelect, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Delivery } from "#server/webhooks/schema.ts";

const columns: Column<Delivery>[] = [
  { header: "Event", cell: ({ event }) => <span className="font-mono">{event}</span> },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "8rem" },
  {
    header: "Answer",
    cell: ({ attempts }) => attempts.at(-1)?.status ?? "–",
    align: "end",
    width: "5.5rem",
    minor: true,
  },
  {
    header: "Attempts",
    cell: ({ attempts }) => attempts.length,
    align: "end",
    width: "6rem",
    minor: true,
  },
  {
    header: "Made",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "7rem",
  },
];

/** A webhook's deliveries, as they go. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.webhookDeliveries.list.queryOptions(
    deliveriesOf(webhookId, filters.values, useCursor()),
  );
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const search = useSearchParams();
  const suffix = search.size > 0 ? `?${search}` : "";
  return (
    <Section title="Deliveries">
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
      </FilterBar>
      <ErrorNotice what="The deliveries could not be loaded." error={list.error} />
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={list.data?.deliveries}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => `${routes.webhooks.delivery(webhookId, id)}${suffix}`}
        empty={filters.active ? <NoMatches filters={filters} /> : <NothingSent />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Section>
  );
}

function NothingSent() {
  return (
    <EmptyState title="Nothing sent yet">
      The next event that it asks for shows up here, with each attempt and what your endpoint answered.
    </EmptyState>
  );
}
