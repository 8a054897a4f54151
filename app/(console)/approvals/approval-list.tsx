"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense } from "react";
import { historyColumns, waitingColumns } from "#app/(console)/approvals/columns.tsx";
import { NotifyHere } from "#app/(console)/approvals/notify-here.tsx";
import { approvalsQuery, filterNames, statuses } from "#app/(console)/approvals/queries.ts";
import { useDecidingMany } from "#app/(console)/approvals/use-deciding-many.tsx";
import { type Approval, kinds } from "#app/(console)/approvals/words.ts";
import { useAddressNames } from "#components/address-names.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSelect, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Segments } from "#components/ui/segments.tsx";

const NotifyByMail = lazy(() =>
  import("#app/(console)/approvals/notify-by-mail.tsx").then(({ NotifyByMail }) => ({
    default: NotifyByMail,
  })),
);

/** What waits for a decision, as it arrives, and everything that was decided. */
export function ApprovalList({ mayDecide }: { mayDecide: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.approvals.list.queryOptions(approvalsQuery(filters.values, useCursor()));
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const waiting = filters.values.status === "";
  const names = useAddressNames(list.data?.approvals.map(({ summary }) => summary) ?? []);
  const selection = useSelection<Approval>({ idOf: ({ id }) => id, nameOf: ({ summary }) => summary });
  const many = useDecidingMany(selection);
  // An open approval lies over the list, which keeps its filters.
  const search = useSearchParams();
  const suffix = search.size > 0 ? `?${search}` : "";

  return (
    <Page>
      <PageHeader
        title="Approvals"
        sentence="Grave actions wait here until somebody has looked at exactly what would be done."
        action={
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {mayDecide && (
              <Suspense>
                <NotifyByMail />
              </Suspense>
            )}
            <NotifyHere />
          </div>
        }
      />
      <FilterBar filters={filters}>
        <Segments
          label="Status"
          options={statuses}
          value={filters.values.status}
          onChange={(status) => filters.set("status", status)}
        />
        <FilterSelect filters={filters} name="kind" label="Kind" options={kinds} />
      </FilterBar>
      <ErrorNotice what="The approvals could not be loaded." error={list.error} />
      <p role="status" className="sr-only">
        {waiting && list.data && `${list.data.approvals.length} waiting`}
      </p>
      {waiting && many.bar}
      <DataTable
        label="Approvals"
        columns={waiting ? waitingColumns(names) : historyColumns(names)}
        rows={list.data?.approvals}
        failed={list.isError}
        rowId={(approval) => approval.id}
        rowHref={(approval) => `${routes.approvals.read(approval.id)}${suffix}`}
        {...(waiting && mayDecide && { selection })}
        empty={filters.active ? <NoMatches filters={filters} /> : <NothingWaits />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {many.dialog}
    </Page>
  );
}

function NothingWaits() {
  const body = { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } };
  const call = { method: "POST", path: "/approvals/service-actions", idempotent: true, body };
  return (
    <EmptyState title="Nothing waits for a decision" curl={curlOf(useOrigin(), call)}>
      A key that wants to do something grave, such as delete a memory for good, asks for it first. It shows up
      here by itself, and you see exactly what would be done before you approve or reject it.
    </EmptyState>
  );
}
