"use client";

import { useId } from "react";
import { toLocal } from "#components/form/local-time.ts";
import { useTypedDate } from "#components/form/use-typed-date.ts";
import type { FilterOf } from "#components/table/use-filters.ts";
import { useHydrated } from "#components/ui/hydrated.ts";
import { Input } from "#components/ui/input.tsx";

/** A moment as a filter: chosen in the viewer's zone, kept in the address as UTC text as the API uses it. */
export function FilterTime<Name extends string>({ filters, name, label }: FilterOf<Name>) {
  const value = filters.values[name];
  const hydrated = useHydrated();
  const id = useId();
  const local = hydrated && !Number.isNaN(Date.parse(value)) ? toLocal(value) : "";
  const typed = useTypedDate(local, (next) => filters.set(name, next && new Date(next).toISOString()));
  return (
    // The browser's control has no placeholder, so its label is visible.
    <span className="flex items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className="text-13 text-muted max-sm:w-12">
        {label}
      </label>
      <Input
        id={id}
        type="datetime-local"
        // Its own width would change with its value, which comes with the page's scripts.
        className="sm:w-52"
        {...typed}
      />
    </span>
  );
}
