"use client";

import { useSearchParams } from "next/navigation";
import type { Column } from "#components/table/column.ts";
import type { List, Values } from "#components/table/list.ts";
import { useCursor } from "#components/table/pagination.tsx";
import { SortHead } from "#components/table/sort-head.tsx";
import { type ListSettings, useListSettings } from "#components/table/table-settings.ts";
import { useFilters } from "#components/table/use-filters.ts";

/** How a table is shown: its columns, density and order. */
export type TableView = ListSettings & {
  /** The sort parameter of the address; empty for newest first. */
  sort: string;
  setSort: (sort: string) => void;
  /** Returns the visible columns. The first column, the row's name, is always visible. */
  shown: <Row>(columns: readonly Column<Row>[]) => readonly Column<Row>[];
  /** A header that sorts. */
  Head: typeof SortHead;
  /** True if the columns that sort are numbers. */
  numbers?: boolean;
};

/** A list's filters, order and columns, from the address and the person's settings. */
export type ListState<Asked = unknown> = {
  list: List;
  filters: ReturnType<typeof useFilters<string>>;
  view: TableView;
  /** The query for the server. */
  query: Asked;
  /** The filters and order as the search part of an address, for a resource that opens over the list. */
  suffix: string;
};

/** The state of a list's page: `const state = useList(wallets)`, for the query, `ListBar` and `DataTable`. */
export function useList<Asked>(list: List & { query: (values: Values) => Asked }): ListState<Asked> {
  const filters = useFilters<string>(list.filterNames);
  const cursor = useCursor();
  const view = useTableView(list.name);
  const query = list.query({ ...filters.values, sort: view.sort, ...(cursor && { cursor }) });
  const search = useSearchParams();
  return { list, filters, view, query, suffix: search.size > 0 ? `?${search}` : "" };
}

function useTableView(name: string): TableView {
  const order = useFilters(["sort"]);
  const kept = useListSettings(name);
  return {
    ...kept,
    shown: (columns) =>
      columns.filter(({ header, optional }, index) => index === 0 || (kept.columns[header] ?? !optional)),
    sort: order.values.sort,
    setSort: (sort) => order.set("sort", sort),
    Head: SortHead,
  };
}
