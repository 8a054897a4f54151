"use client";

import type { Table } from "#app/(console)/database/tables/[table]/row-query.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Section } from "#components/ui/section.tsx";

const columnColumns: Column<Table["columns"][number]>[] = [
  { header: "Column", cell: ({ name }) => name },
  { header: "Type", cell: ({ type }) => <span className="font-mono">{type}</span> },
  { header: "Takes null", cell: ({ nullable }) => (nullable ? "yes" : "no"), width: "8rem" },
  { header: "Default", cell: (column) => <span className="font-mono">{column.default ?? "none"}</span> },
];

const indexColumns: Column<Table["indexes"][number]>[] = [
  { header: "Index", cell: ({ name }) => name },
  { header: "Columns", cell: ({ columns }) => columns.join(", ") },
  { header: "Each value", cell: ({ unique }) => (unique ? "once" : "often"), width: "8rem" },
];

/** Lists the columns and indexes of a table. */
export function Structure({ table: { columns, indexes } }: { table: Table }) {
  return (
    <>
      <Section title="Columns">
        <DataTable
          label="Columns"
          columns={columnColumns}
          rows={columns}
          rowId={({ name }) => name}
          empty={<p className="p-4 text-muted">No columns.</p>}
        />
      </Section>
      <Section title="Indexes">
        <DataTable
          label="Indexes"
          columns={indexColumns}
          rows={indexes}
          rowId={({ name }) => name}
          empty={<p className="p-4 text-muted">No indexes.</p>}
        />
      </Section>
    </>
  );
}
