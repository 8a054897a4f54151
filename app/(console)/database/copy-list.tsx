"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { copyList } from "#app/(console)/database/copies/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Section } from "#components/ui/section.tsx";
import { Size } from "#components/ui/size.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Transfer } from "#server/databases/transfers/schema.ts";

type Copy = Pick<Transfer, "id" | "direction" | "dryRun" | "status" | "archive" | "createdAt" | "expiresAt">;

const columns: Column<Copy>[] = [
  { header: "Copy", cell: nameOf, csv: nameOf },
  {
    header: "Status",
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "8rem",
  },
  {
    header: "Size",
    cell: ({ archive }) => archive && <Size bytes={archive.sizeBytes} />,
    csv: ({ archive }) => archive?.sizeBytes,
    align: "end",
    width: "7rem",
    minor: true,
  },
  {
    header: "Started",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    align: "end",
    width: "8rem",
  },
  {
    header: "Kept until",
    cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
    csv: ({ expiresAt }) => expiresAt,
    align: "end",
    width: "8rem",
    minor: true,
  },
  idColumn,
];

function nameOf({ direction, dryRun }: Copy): string {
  if (direction === "export") return "Export";
  return dryRun ? "Check of an archive" : "Import";
}

/** Lists the account's exports and imports, including those of a deleted database; a row opens one. */
export function CopyList() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(copyList);
  const query = trpc.databases.transfers.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <Section title="Exports and imports">
      <ListTable
        state={state}
        label="Exports and imports"
        columns={columns}
        list={list}
        failed="The exports and imports could not be loaded."
        ask={client.databases.transfers.list.query}
        rowsOf={({ transfers }) => transfers}
        rowHref={({ id }) =>
          routes.database.copies({ ...Object.fromEntries(new URLSearchParams(state.suffix)), transfer: id })
        }
        empty={<p className="p-4 text-muted">None yet. What was exported or imported stays listed here.</p>}
      />
    </Section>
  );
}
