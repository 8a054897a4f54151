"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "#components/trpc.tsx";
import type { Found } from "#server/search/schema.ts";

/** Returns the resources with these ids, as far as the person may read them. */
export function useFound(ids: readonly (string | null)[]): ReadonlyMap<string, Found> {
  const trpc = useTRPC();
  const wanted = [...new Set(ids.filter((id) => id !== null))].sort();
  const answer = useQuery({
    ...trpc.search.list.queryOptions({ ids: wanted.join(",") }),
    enabled: wanted.length > 0,
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  const found = answer.data?.found;
  return useMemo(() => new Map(found?.map((one) => [one.id, one])), [found]);
}

/** Returns resources' names by id, as far as the person may read them: `useNames(rows.map((row) => row.projectId))`. */
export function useNames(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const found = useFound(ids);
  return useMemo(() => new Map([...found].map(([id, { label }]) => [id, label])), [found]);
}
