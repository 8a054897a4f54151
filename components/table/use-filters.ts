"use client";

import { usePathname, useSearchParams } from "next/navigation";

export type Filters<Name extends string> = {
  /** The value of each filter; empty if it is not set. */
  values: Record<Name, string>;
  set: (name: Name, value: string) => void;
  clear: () => void;
  /** True if any filter is set. */
  active: boolean;
};

/** The properties of one filter's control. */
export type FilterOf<Name extends string> = { filters: Filters<Name>; name: Name; label: string };

/**
 * Filters that are kept in the address: `const filters = useFilters(["status", "operation"])`. Setting one returns to
 * the first page without requesting a new document; the query depends on `filters.values`. With `keepsPage` it stays on
 * the page, because the values only change the view of something beside the list.
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
  { keepsPage }: { keepsPage?: boolean } = {},
): Filters<Name> {
  const search = useSearchParams();
  const pathname = usePathname();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Record<
    Name,
    string
  >;

  function replace(change: (params: URLSearchParams) => void) {
    const params = new URLSearchParams(window.location.search);
    change(params);
    if (!keepsPage) params.delete("cursor");
    window.history.replaceState(null, "", params.size > 0 ? `${pathname}?${params}` : pathname);
  }

  return {
    values,
    set: (name, value) => replace((params) => (value ? params.set(name, value) : params.delete(name))),
    clear: () =>
      replace((params) => {
        for (const name of names) params.delete(name);
      }),
    active: names.some((name) => values[name] !== ""),
  };
}
