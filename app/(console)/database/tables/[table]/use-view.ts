"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import {
  type Filter,
  operators,
  type Sort,
  type Table,
  type View,
} from "#app/(console)/database/tables/[table]/row-query.ts";
import { keepColumns } from "#components/table/keep-settings.ts";
import { useListSettings } from "#components/table/table-settings.ts";

/**
 * Returns the view of a table: its filters and order from the address, its hidden columns from this browser. Ignores
 * names that the table does not have.
 */
export function useView(table: Table | undefined) {
  const search = useSearchParams();
  const pathname = usePathname();
  const filters = search.get("filters");
  const sort = search.get("sort");
  const { list, columns } = useListSettings(`database/${table?.name}`);
  const view = useMemo(
    () =>
      table && {
        table,
        filters: listOf(filters).filter((entry): entry is Filter => isFilter(entry, table)),
        sort: [parsed(sort)].find((entry): entry is Sort => isSort(entry, table)) ?? null,
        hidden: table.columns.map(({ name }) => name).filter((name) => columns[name] === false),
      },
    [table, filters, sort, columns],
  );

  function set(changes: Partial<Pick<View, "filters" | "sort">>) {
    const params = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      if (isEmpty) params.delete(name);
      else params.set(name, JSON.stringify(value));
    }
    window.history.replaceState(null, "", params.size > 0 ? `${pathname}?${params}` : pathname);
  }

  function hide(hidden: readonly string[]) {
    keepColumns(list, Object.fromEntries(hidden.map((name) => [name, false])));
  }

  return { view, set, hide };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

function listOf(text: string | null): unknown[] {
  const found = parsed(text);
  return Array.isArray(found) ? found : [];
}

const hasColumn = ({ columns }: Table, column: unknown) => columns.some(({ name }) => name === column);

function isFilter(entry: unknown, table: Table): boolean {
  const { column, operator, value } = (entry ?? {}) as Partial<Filter>;
  return (
    hasColumn(table, column) && operators.some((each) => each.value === operator) && typeof value === "string"
  );
}

function isSort(entry: unknown, table: Table): boolean {
  const { column, descending } = (entry ?? {}) as Partial<Sort>;
  return hasColumn(table, column) && typeof descending === "boolean";
}
