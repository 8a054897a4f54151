"use client";

import { useQuery } from "@tanstack/react-query";
import { NoDatabase } from "#app/(console)/database/no-database.tsx";
import { SqlEditor } from "#app/(console)/database/sql-editor.tsx";
import { TableList } from "#app/(console)/database/table-list.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Figure } from "#components/ui/section.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const MB = 1_048_576;
const inMegabytes = (bytes: number) =>
  `${(bytes / MB).toLocaleString("en-US", { maximumFractionDigits: 1 })} MB`;

/** The account's own PostgreSQL database: its size, its tables, and a place to ask it something. */
export function DatabasePage() {
  const trpc = useTRPC();
  const { data, error } = useQuery({
    ...trpc.databases.account.read.queryOptions(),
    // On its way in or out it changes by itself.
    refetchInterval: ({ state }) => (state.data?.database.status.endsWith("provisioning") ? 1000 : false),
  });
  const database = data?.database;
  return (
    <Page>
      <PageHeader
        title="Database"
        sentence="A PostgreSQL database of the account's own, with a role that reaches nothing else."
        badge={database && database.status !== "ready" && <Status value={database.status} />}
      />
      <ErrorNotice what="The database could not be read." error={error} />
      {!database && !error && <Skeleton className="h-24" />}
      {database?.status === "absent" && <NoDatabase />}
      {database?.status === "ready" && (
        <>
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
            <Figure
              label="Size"
              value={inMegabytes(database.sizeBytes)}
              hint={`of ${inMegabytes(database.limits.maximumBytes)}`}
            />
            <Figure label="Tables" value={database.tables.length} hint="in the schema public" />
            <Figure
              label="Provisioned"
              value={database.createdAt && <RelativeTime at={database.createdAt} />}
              hint={`${database.limits.connections} statements at a time`}
            />
          </div>
          <SqlEditor />
          <TableList tables={database.tables} />
        </>
      )}
    </Page>
  );
}
