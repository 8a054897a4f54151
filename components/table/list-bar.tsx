"use client";

import { type Column, exportedOf } from "#components/table/column.ts";
import { exporting } from "#components/table/exporting.ts";
import { FilterBar } from "#components/table/filter-bar.tsx";
import { ListFilter } from "#components/table/list-filter.tsx";
import type { ListState } from "#components/table/use-list.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";
import type { Option } from "#components/ui/select.tsx";

// Loaded late: a person reads a list before they export it.
const ListTools = inBrowser(() =>
  import("#components/table/list-tools.tsx").then(({ ListTools }) => ListTools),
);

type Page<Row> = { rows: Row[]; nextCursor: string | null };

/** The bar above a declared list: its filters, its view, and the export of all rows that match the filters. */
export function ListBar<Row, Asked extends object>({
  state: { list, filters, view, query },
  columns,
  page,
  options,
}: {
  state: ListState<Asked>;
  columns: readonly Column<Row>[];
  /** Returns a page of the list for the export; without it, there is no export. */
  page?: (query: Asked & { limit: number; cursor: string | undefined }) => Promise<Page<Row>>;
  /** The choices of filters that are declared without any, by name. */
  options?: Readonly<Record<string, readonly Option[]>> | undefined;
}) {
  const start =
    page &&
    exporting({
      name: list.name,
      columns: exportedOf(columns),
      // An export reads every page, so it needs no total.
      page: (cursor) => page({ ...query, total: undefined, limit: 100, cursor }),
    });
  return (
    <FilterBar filters={filters}>
      {Object.entries(list.filters).map(([name, filter]) => (
        <ListFilter key={name} filters={filters} name={name} filter={filter} options={options?.[name]} />
      ))}
      {/* On a phone, beside the search; it has its width before its scripts have loaded. */}
      <div className="ml-auto flex h-8 min-w-15 items-center justify-end gap-1 max-sm:order-first">
        <ListTools view={view} columns={columns} {...(start && { start })} />
      </div>
    </FilterBar>
  );
}
