"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { countOf, levelQuery, openFirst } from "#app/(console)/api-keys/queries.ts";
import type { Branch } from "#components/table/table-row.tsx";
import { useTRPC } from "#components/trpc.tsx";
import type { TreeKey } from "#server/keys/schema.ts";

/** A key and its depth; or, below the hundredth child of a key, a link to the rest. */
export type TreeRow = { key: TreeKey; depth: number; isRest: boolean };

type Levels = Record<string, { apiKeys: TreeKey[]; nextCursor: string | null }>;

/** The ids of the open keys, once somebody has opened or closed any; remembered while they visit other pages. */
let remembered: readonly string[] | null = null;

/** Returns the rows of a tree whose levels load when they are opened. */
export function useKeyTree(roots: TreeKey[] | undefined) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [opened, setOpened] = useState(remembered);
  const open = opened ?? openFirst(roots ?? []);
  const level = (id: string) => trpc.apiKeys.children.list.queryOptions(levelQuery(id));
  const levels = useQuery({
    queryKey: [...trpc.apiKeys.children.list.pathKey(), "open", open],
    queryFn: async () =>
      Object.fromEntries(
        await Promise.all(open.map(async (id) => [id, await queries.fetchQuery(level(id))] as const)),
      ),
    // Shows levels that the server has already read without waiting.
    placeholderData: (before: Levels | undefined) => before ?? levelsAtHand(),
    enabled: open.length > 0,
  });

  function levelsAtHand(): Levels {
    const found = open.map((id) => [id, queries.getQueryData(level(id).queryKey)] as const);
    return Object.fromEntries(found.flatMap(([id, page]) => (page ? [[id, page]] : [])));
  }

  function rowsOf(keys: readonly TreeKey[]): TreeRow[] {
    return keys.flatMap((key) => {
      const row = { key, depth: key.depth, isRest: false };
      const below = open.includes(key.id) ? levels.data?.[key.id] : undefined;
      if (!below) return [row];
      const rest = below.nextCursor ? [{ key, depth: key.depth + 1, isRest: true }] : [];
      return [row, ...rowsOf(below.apiKeys), ...rest];
    });
  }

  function toggle(id: string) {
    remembered = open.includes(id) ? open.filter((other) => other !== id) : [...open, id];
    setOpened(remembered);
  }

  return {
    rows: roots && rowsOf(roots),
    /** True if any key has children. */
    branches: roots?.some((key) => key.children > 0) ?? false,
    branchOf: ({ key, depth, isRest }: TreeRow): Branch => ({
      depth,
      open: isRest || key.children === 0 ? null : open.includes(key.id),
      toggle: () => toggle(key.id),
      label: `the ${countOf(key.children)} below ${key.label}`,
    }),
    error: levels.error,
  };
}
