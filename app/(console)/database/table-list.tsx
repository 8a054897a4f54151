"use client";

import type { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Count } from "#components/ui/amount.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Section } from "#components/ui/section.tsx";

type Table = NonNullable<ReturnType<typeof useDatabase>["database"]>["tables"][number];

const columns: Column<Table>[] = [
  { header: "Table", cell: ({ name }) => name, width: "14rem" },
  { header: "Columns", cell: (table) => <Columns table={table} />, minor: true },
  { header: "Rows", cell: ({ rowEstimate }) => <About rows={rowEstimate} />, align: "end", width: "8rem" },
  {
    header: "Size",
    cell: ({ sizeBytes }) => `${inDigits(Math.ceil(sizeBytes / 1024))} KB`,
    align: "end",
    width: "8rem",
  },
];

/** Lists the tables with their columns; columns of the primary key are marked. */
export function TableList({ tables }: { tables: Table[] }) {
  return (
    <Section title="Tables">
      <DataTable
        label="Tables"
        columns={columns}
        rows={tables}
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

function Columns({ table }: { table: Table }) {
  const shown = table.columns.map(({ name, type, nullable }) => {
    const key = table.primaryKey.includes(name) ? ", key" : "";
    return `${name} ${type}${nullable ? "" : " not null"}${key}`;
  });
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
