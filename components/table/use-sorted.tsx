"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { type Column, exportedOf } from "#components/table/column.ts";
import { exporting } from "#components/table/exporting.ts";
import type { SortHeadProps } from "#components/table/sort-head.tsx";
import { useListSettings } from "#components/table/table-settings.ts";
import { useFilters } from "#components/table/use-filters.ts";
import type { TableView } from "#components/table/use-list.ts";
import { Pressable } from "#components/ui/pressable.tsx";

/**
 * The state of a table whose rows are all in the browser, which sorts and exports them: a column with `sort` sorts by
 * its exported number. The export reads its rows by `read`, since those on screen may be loading, or of other filters.
 * `cut` is the notice of an export whose rows are `truncated`.
 */
export function useSorted<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: Row[] | undefined,
  read: () => Promise<{ rows: Row[]; truncated: boolean }>,
  cut: string,
) {
  const settings = useListSettings(name);
  const order = useFilters(["order"], { keepsPage: true });
  const view: TableView = {
    ...settings,
    shown: (all) => all.filter(({ header }, index) => index === 0 || settings.columns[header] !== false),
    sort: order.values.order,
    setSort: (sort) => order.set("order", sort),
    Head: NumberHead,
    numbers: true,
  };
  const by = columns.find(({ sort }) => sort === view.sort.replace(/^-/, "") && sort !== "");
  const ordered = (all: Row[]) => (by ? all.toSorted(comparing(by, view.sort.startsWith("-"))) : all);
  const start = exporting({
    name,
    columns: exportedOf(columns),
    page: async () => {
      const { rows, truncated } = await read();
      return { rows: ordered(rows), nextCursor: null, truncated };
    },
    cut: () => cut,
  });
  return { view, columns, rows: rows && ordered(rows), start };
}

/** A header that sorts numbers: first the largest, then the smallest, then in the table's own order again. */
function NumberHead({ order: { sort, setSort }, by, header, ...props }: SortHeadProps) {
  const isAscending = sort === by;
  const isDescending = sort === `-${by}`;
  const Icon = isAscending ? ArrowUp : ArrowDown;
  return (
    <th {...props} scope="col" aria-sort={isAscending ? "ascending" : isDescending ? "descending" : "none"}>
      <Pressable
        onClick={() => setSort(isDescending ? by : isAscending ? "" : `-${by}`)}
        className="inline-flex max-w-full items-center gap-1 font-medium hover:text-ink"
      >
        <span className="truncate">{header}</span>
        {(isAscending || isDescending) && <Icon aria-hidden className="size-3 shrink-0" />}
      </Pressable>
    </th>
  );
}

/** Compares rows by a column's numbers; rows without one come last in both directions. */
function comparing<Row>({ csv }: Column<Row>, isDescending: boolean) {
  const numberOf = (row: Row) => {
    const value = typeof csv === "function" ? csv(row) : null;
    return typeof value === "number" ? value : null;
  };
  return (one: Row, other: Row) => {
    const [left, right] = [numberOf(one), numberOf(other)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return isDescending ? right - left : left - right;
  };
}
