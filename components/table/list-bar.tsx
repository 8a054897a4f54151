"use client";

import type { ReactNode } from "react";
import type { Column } from "#components/table/column.ts";
import { exporting } from "#components/table/exporting.ts";
import { FilterBar } from "#components/table/filter-bar.tsx";
import { ListFilter } from "#components/table/list-filter.tsx";
import type { ListState } from "#components/table/use-list.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";

// Loaded late: a list is read before it is exported.
const ListTools = inBrowser(() =>
  import("#components/table/list-tools.tsx").then(({ ListTools }) => ListTools),
);

type Page<Row> = { rows: Row[]; nextCursor: string | null };

/** What stands above a declared list: its filters, its view, and the export of all that the filters let through. */
export function ListBar<Row, Asked extends object>({
  state: { list, filters, view, query },
  columns,
  page,
  children,
}: {
  state: ListState<Asked>;
  columns: readonly Column<Row>[];
  /** A page of what is asked for, for the export; without it nothing is exported. */
  page?: (query: Asked & { limit: number; cursor: string | undefined }) => Promise<Page<Row>>;
  /** Filters of the page's own. */
  children?: ReactNode;
}) {
  const start =
    page &&
    exporting({
      name: list.name,
      columns: columns.flatMap(({ header, csv }) => (csv ? [{ header, value: csv }] : [])),
      page: (cursor) => page({ ...query, limit: 100, cursor }),
    });
  return (
    <FilterBar filters={filters}>
      {Object.entries(list.filters).map(([name, filter]) => (
        <ListFilter key={name} filters={filters} name={name} filter={filter} />
      ))}
      {children}
      <div className="ml-auto flex h-8 items-center gap-1">
        <ListTools view={view} columns={columns} {...(start && { start })} />
      </div>
    </FilterBar>
  );
}
