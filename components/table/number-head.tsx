"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import type { SortHeadProps } from "#components/table/sort-head.tsx";
import { Pressable } from "#components/ui/pressable.tsx";

/** A header that sorts numbers: first the largest, then the smallest, then in the table's own order again. */
export function NumberHead({ order: { sort, setSort }, by, header, ...props }: SortHeadProps) {
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
