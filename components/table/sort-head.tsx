"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import type { ThHTMLAttributes } from "react";
import { Pressable } from "#components/ui/pressable.tsx";

type Props = ThHTMLAttributes<HTMLTableCellElement> & {
  order: { sort: string; setSort: (sort: string) => void };
  by: string;
  header: string;
};

/** A header that sorts. For names: first from A to Z, then from Z to A, then newest first again. */
export function SortHead({ order, by, header, ...props }: Props) {
  const sort = order.sort || "-createdAt";
  const upwards = sort === by;
  const downwards = sort === `-${by}`;
  const next =
    upwards && by !== "createdAt" ? `-${by}` : upwards || (downwards && by !== "createdAt") ? "" : by;
  const Icon = upwards ? ArrowUp : ArrowDown;
  return (
    <th {...props} scope="col" aria-sort={upwards ? "ascending" : downwards ? "descending" : "none"}>
      <Pressable
        onClick={() => order.setSort(next)}
        className="inline-flex max-w-full items-center gap-1 font-medium hover:text-ink"
      >
        <span className="truncate">{header}</span>
        {(upwards || downwards) && <Icon aria-hidden className="size-3 shrink-0" />}
      </Pressable>
    </th>
  );
}
