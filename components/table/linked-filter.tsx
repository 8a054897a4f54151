"use client";

import { X } from "lucide-react";
import type { FilterOf } from "#components/table/use-filters.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { plainName } from "#components/ui/plain-name.ts";

/** Shows a filter that a link has set, with a button that removes it. */
export function LinkedFilter<Name extends string>({ filters, name, label }: FilterOf<Name>) {
  const value = filters.values[name];
  if (value === "") return null;
  const shown = plainName(value);
  return (
    <span className="flex h-8 min-w-0 max-w-full items-center rounded-md sm:max-w-80 bg-hover pl-2 text-13">
      <span title={shown} className="truncate">
        {label} <bdi>{shown}</bdi>
      </span>
      <IconButton
        icon={X}
        label={`Remove the filter “${label}”`}
        onClick={(event) => {
          filters.set(name, "");
          // The button is gone with the filter.
          event.currentTarget.closest("search")?.focus();
        }}
      />
    </span>
  );
}
