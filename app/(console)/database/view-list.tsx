"use client";

import type { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Section } from "#components/ui/section.tsx";
import { Size } from "#components/ui/size.tsx";

type Database = NonNullable<ReturnType<typeof useDatabase>["database"]>;

const viewColumns: Column<Database["views"][number]>[] = [
  { header: "View", cell: ({ name }) => name, width: "14rem" },
  {
    header: "Columns",
    cell: ({ columns }) => (
      <span className="block break-words font-mono text-12 text-muted">
        {columns.map(({ name, type }) => `${name} ${type}`).join(" · ")}
      </span>
    ),
  },
  {
    header: "Kind",
    cell: ({ materialized }) => (materialized ? "stores its rows" : "stores no rows"),
    width: "9rem",
  },
  { header: "Size", cell: ({ sizeBytes }) => <Size bytes={sizeBytes} />, align: "end", width: "8rem" },
];

const functionColumns: Column<Database["functions"][number]>[] = [
  { header: "Function", cell: ({ name }) => name, width: "14rem" },
  { header: "Arguments", cell: (each) => <span className="font-mono text-12">{each.arguments}</span> },
  {
    header: "Returns",
    cell: ({ returns }) => <span className="font-mono text-12">{returns ?? "nothing"}</span>,
  },
  { header: "Kind", cell: ({ kind, language }) => `${kind} in ${language}`, width: "12rem" },
];

/** Lists the views and functions; nothing if there are none. */
export function ViewList({ database: { views, functions } }: { database: Database }) {
  return (
    <>
      {views.length > 0 && (
        <Section title="Views">
          <DataTable
            label="Views"
            columns={viewColumns}
            rows={views}
            rowId={({ name }) => name}
            rowHref={({ name }) => routes.database.table(name)}
            empty={null}
          />
        </Section>
      )}
      {functions.length > 0 && (
        <Section title="Functions">
          <DataTable
            label="Functions"
            columns={functionColumns}
            rows={functions}
            rowId={(each) => `${each.name}(${each.arguments})`}
            empty={null}
          />
        </Section>
      )}
    </>
  );
}
