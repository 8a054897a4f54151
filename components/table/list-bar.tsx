"use client";

import { type Column, exportedOf } from "#components/table/column.ts";
import { exporting } from "#components/table/exporting.ts";
import { FilterBar } from "#components/table/filter-bar.tsx";
import { ListFilter } from "#components/table/list-filter.tsx";
import type { ListState } from "#components/table/use-list.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";
import type { Option } from "#components/ui/select.tsx";

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
  options,
}: {
  state: ListState<Asked>;
  columns: readonly Column<Row>[];
  /** A page of what is asked for, for the export; without it nothing is exported. */
  page?: (query: Asked & { limit: number; cursor: string | undefined }) => Promise<Page<Row>>;
  /** The choices of filters that are declared without them, by name. */
  options?: Readonly<Record<string, readonly Option[]>> | undefined;
}) {
  const start =
    page &&
    exporting({
      name: list.name,
      columns: exportedOf(columns),
      // Each page of an export says how many there are by being there.
      page: (cursor) => page({ ...query, total: undefined, limit: 100, cursor }),
    });
  return (
    <FilterBar filters={filters}>
      {Object.entries(list.filters).map(([name, filter]) => (
        <ListFilter key={name} filters={filters} name={name} filter={filter} options={options?.[name]} />
      ))}
      <div className="ml-auto flex h-8 items-center gap-1">
        <ListTools view={view} columns={columns} {...(start && { start })} />
      </div>
    </FilterBar>
  );
}
