"use client";

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { countOf, levelQuery } from "#app/(console)/api-keys/queries.ts";
import type { Branch } from "#components/table/table-row.tsx";
import { useTRPC } from "#components/trpc.tsx";
import type { TreeKey } from "#server/keys/schema.ts";

/** A key at its place; or, below the hundredth child of a key, the way to the rest of them. */
export type TreeRow = { key: TreeKey; depth: number; isRest: boolean };

/** Which keys stand open; kept while one looks at other pages. */
let remembered: ReadonlySet<string> = new Set();

/** The rows of a tree whose levels are loaded as they are opened. */
export function useKeyTree(roots: TreeKey[] | undefined) {
  const trpc = useTRPC();
  const [open, setOpen] = useState(remembered);
  const ids = [...open];
  const levels = useQueries({
    queries: ids.map((parentId) => trpc.apiKeys.children.list.queryOptions(levelQuery(parentId))),
  });
  const below = new Map(ids.map((id, index) => [id, levels[index]?.data]));

  function rowsOf(keys: readonly TreeKey[]): TreeRow[] {
    return keys.flatMap((key) => {
      const row = { key, depth: key.depth, isRest: false };
      const level = open.has(key.id) ? below.get(key.id) : undefined;
      if (!level) return [row];
      const rest = level.nextCursor ? [{ key, depth: key.depth + 1, isRest: true }] : [];
      return [row, ...rowsOf(level.apiKeys), ...rest];
    });
  }

  function toggle(id: string) {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    remembered = next;
    setOpen(next);
  }

  return {
    rows: roots && rowsOf(roots),
    /** Whether it is more than a list. */
    branches: roots?.some((key) => key.children > 0) ?? false,
    branchOf: ({ key, depth, isRest }: TreeRow): Branch => ({
      depth,
      open: isRest || key.children === 0 ? null : open.has(key.id),
      toggle: () => toggle(key.id),
      label: `the ${countOf(key.children)} below ${key.label}`,
    }),
    error: levels.find((level) => level.error)?.error ?? null,
  };
}
