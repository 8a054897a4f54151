"use client";

import { usePathname, useSearchParams } from "next/navigation";

export type Filters<Name extends string> = {
  /** The value of each filter; empty where it is not set. */
  values: Record<Name, string>;
  set: (name: Name, value: string) => void;
  clear: () => void;
  /** Whether any is set. */
  active: boolean;
};

/**
 * Filters that live in the address: `const filters = useFilters(["status", "operation"])`. Setting one goes back to
 * the first page and asks the server for no new document; the query keyed by `filters.values` does the rest.
 */
export function useFilters<Name extends string>(names: readonly Name[]): Filters<Name> {
  const search = useSearchParams();
  const pathname = usePathname();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Record<
    Name,
    string
  >;

  function replace(change: (params: URLSearchParams) => void) {
    const params = new URLSearchParams(window.location.search);
    change(params);
    params.delete("cursor");
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
