"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import type { ThHTMLAttributes } from "react";
import { Pressable } from "#components/ui/pressable.tsx";

export type SortHeadProps = ThHTMLAttributes<HTMLTableCellElement> & {
  order: { sort: string; setSort: (sort: string) => void };
  by: string;
  header: string;
};

/** A header that sorts. For names: first from A to Z, then from Z to A, then newest first again. */
export function SortHead({ order, by, header, ...props }: SortHeadProps) {
  const sort = order.sort || "-createdAt";
  const isAscending = sort === by;
  const isDescending = sort === `-${by}`;
  const next =
    isAscending && by !== "createdAt"
      ? `-${by}`
      : isAscending || (isDescending && by !== "createdAt")
        ? ""
        : by;
  const Icon = isAscending ? ArrowUp : ArrowDown;
  return (
    <th {...props} scope="col" aria-sort={isAscending ? "ascending" : isDescending ? "descending" : "none"}>
      <Pressable
        onClick={() => order.setSort(next)}
        className="inline-flex max-w-full items-center gap-1 font-medium hover:text-ink"
      >
        <span className="truncate">{header}</span>
        {(isAscending || isDescending) && <Icon aria-hidden className="size-3 shrink-0" />}
      </Pressable>
    </th>
  );
}
