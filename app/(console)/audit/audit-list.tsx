"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { AuditExport } from "#app/(console)/audit/audit-export.tsx";
import { AuditFilterBar } from "#app/(console)/audit/audit-filter-bar.tsx";
import { columns as usualColumns } from "#app/(console)/audit/columns.tsx";
import { csvColumns } from "#app/(console)/audit/csv-columns.ts";
import { LiveTail, useLiveTail } from "#app/(console)/audit/live-tail.tsx";
import { auditQuery, filterNames } from "#app/(console)/audit/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { ExportCsv } from "#components/table/export-csv.tsx";
import { NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTableView } from "#components/table/use-list.ts";
import { ViewButton } from "#components/table/view-button.tsx";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";

const columns: Column<AuditEvent>[] = [
  ...usualColumns,
  {
    header: "Request",
    cell: ({ requestId }) => <Copyable value={requestId} />,
    optional: true,
    width: "12rem",
  },
  { header: "Address", plain: true, cell: ({ ip }) => ip ?? "–", optional: true, width: "8rem" },
];

/** Every request of the account, newest first, with live tail. */
export function AuditList({ accountId, operationIds }: { accountId: string; operationIds: string[] }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const view = useTableView("audit");
  const cursor = useCursor();
  const query = trpc.auditEvents.list.queryOptions(auditQuery(filters.values, cursor));
  const live = useLiveTail();
  const list = useQuery({ ...query, placeholderData: keepPreviousData, ...live.following });
  // An open event lies over the list, which keeps its filters.
  const search = useSearchParams();
  const suffix = search.size > 0 ? `?${search}` : "";

  const client = useTRPCClient();
  async function exportPage(cursor: string | undefined) {
    const input = { ...auditQuery(filters.values, cursor), limit: 100 };
    const { auditEvents, nextCursor } = await client.auditEvents.list.query(input);
    return { rows: auditEvents, nextCursor };
  }

  return (
    <Page>
      <PageHeader
        title="Audit"
        sentence="Every request: who made it, which check it passed or not, and its place in the account’s hash chain."
        action={
          <>
            <ExportCsv name="audit" columns={csvColumns} page={exportPage} />
            <ViewButton view={view} columns={columns} />
            <LiveTail tail={live} />
          </>
        }
      />
      <AuditFilterBar filters={filters} operationIds={operationIds} />
      <ErrorNotice what="The requests could not be loaded." error={list.error} />
      <DataTable
        label="Audit events"
        view={view}
        columns={columns}
        rows={list.data?.auditEvents}
        failed={list.isError}
        rowId={(event) => event.id}
        rowHref={(event) => `${routes.auditEvent(event.id)}${suffix}`}
        rowMenu={(event) => [
          { label: "Only this operation", onSelect: () => filters.set("operation", event.operation) },
          ...(event.actor.type === "key" && event.actor.id
            ? [
                { label: "Only this key", onSelect: () => filters.set("keyId", event.actor.id ?? "") },
                { label: "Open the key", href: routes.apiKeys.read(event.actor.id) },
              ]
            : []),
        ]}
        empty={
          list.data?.nextCursor ? (
            <EmptyState title="No requests on this page">
              Past months are searched in parts: “Older” goes on where this part ends.
            </EmptyState>
          ) : filters.active ? (
            <NoMatches filters={filters} />
          ) : (
            <EmptyState title="No requests yet">
              Each call of a key, and each act of a person here, is written down before it is answered.
            </EmptyState>
          )
        }
        footer={live.on ? null : <Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      <AuditExport accountId={accountId} />
    </Page>
  );
}
