"use client";

import type { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { LazyListTools } from "#components/table/lazy-list-tools.tsx";
import { useSorted } from "#components/table/use-sorted.tsx";
import { Count } from "#components/ui/amount.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Section } from "#components/ui/section.tsx";

type Table = NonNullable<ReturnType<typeof useDatabase>["database"]>["tables"][number];

const columns: Column<Table>[] = [
  { header: "Table", cell: ({ name }) => name, csv: ({ name }) => name, width: "14rem" },
  {
    header: "Columns",
    cell: (table) => <Columns table={table} />,
    csv: (table) => columnsOf(table).join("; "),
    minor: true,
  },
  {
    header: "Rows",
    cell: ({ rowEstimate }) => <About rows={rowEstimate} />,
    csv: ({ rowEstimate }) => rowEstimate,
    sort: "rows",
    align: "end",
    width: "8rem",
  },
  {
    header: "Size",
    cell: ({ sizeBytes }) => `${inDigits(Math.ceil(sizeBytes / 1024))} KB`,
    csv: ({ sizeBytes }) => sizeBytes,
    sort: "size",
    align: "end",
    width: "8rem",
  },
];

/** Lists the tables with their columns; columns of the primary key are marked. */
export function TableList({ tables, complete }: { tables: Table[]; complete: boolean }) {
  const read = async () => ({ rows: tables, truncated: !complete });
  const table = useSorted("tables", columns, tables, read, "There are more tables than the console lists.");
  return (
    <Section
      title="Tables"
      action={
        <div className="flex items-center gap-1">
          <LazyListTools view={table.view} columns={table.columns} start={table.start} />
        </div>
      }
    >
      <DataTable
        label="Tables"
        columns={table.columns}
        rows={table.rows}
        view={table.view}
        rowId={({ name }) => name}
        rowHref={({ name }) => routes.database.table(name)}
        empty={
          <EmptyState title="No tables yet">
            Create one under SQL or with an action of the API, or import a copy of another database.
          </EmptyState>
        }
      />
    </Section>
  );
}

const columnsOf = ({ columns, primaryKey }: Table) =>
  columns.map(({ name, type, nullable }) => {
    const key = primaryKey.includes(name) ? ", key" : "";
    return `${name} ${type}${nullable ? "" : " not null"}${key}`;
  });

function Columns({ table }: { table: Table }) {
  const shown = columnsOf(table);
  return (
    <span className="block break-words font-mono text-12 text-muted @2xl:truncate" title={shown.join("\n")}>
      {shown.join(" · ")}
    </span>
  );
}

/** Shows PostgreSQL's own estimate, because counting would read the whole table. */
function About({ rows }: { rows: number }) {
  return (
    <span>
      about <Count value={rows} />
    </span>
  );
}
