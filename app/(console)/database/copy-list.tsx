"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Size } from "#components/ui/size.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Transfer } from "#server/databases/transfers/schema.ts";

type Copy = Pick<Transfer, "id" | "direction" | "dryRun" | "status" | "archive" | "createdAt" | "expiresAt">;

const columns: Column<Copy>[] = [
  { header: "What", cell: nameOf },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "8rem" },
  {
    header: "Size",
    cell: ({ archive }) => archive && <Size bytes={archive.sizeBytes} />,
    align: "end",
    width: "7rem",
    minor: true,
  },
  {
    header: "Started",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "8rem",
  },
  {
    header: "Kept until",
    cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
    align: "end",
    width: "8rem",
    minor: true,
  },
];

function nameOf({ direction, dryRun }: Copy): string {
  if (direction === "export") return "Export";
  return dryRun ? "Check of an archive" : "Import";
}

/** Lists the account's exports and imports, including those of a deleted database; a row opens one. */
export function CopyList() {
  const cursor = useCursor();
  const query = useTRPC().databases.transfers.list.queryOptions({ ...(cursor && { cursor }) });
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <Section title="Exports and imports">
      <ErrorNotice what="The exports and imports could not be loaded." error={list.error} />
      <DataTable
        label="Exports and imports"
        columns={columns}
        rows={list.data?.transfers}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.database.copies({ transfer: id })}
        empty={<p className="p-4 text-muted">None yet. What was exported or imported stays listed here.</p>}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
    </Section>
  );
}
