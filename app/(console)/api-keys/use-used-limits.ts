"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "#components/trpc.tsx";
import type { UsedLimit } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

const EVERY_MS = 10_000;

/** How much of their own limits keys have used now, by key; it passes by time alone. */
export function useUsedLimits(
  keys: readonly Pick<ApiKey, "id" | "limits">[],
): ReadonlyMap<string, readonly UsedLimit[]> {
  const trpc = useTRPC();
  const ids = [
    ...new Set(keys.filter(({ limits }) => Object.keys(limits).length > 0).map(({ id }) => id)),
  ].sort();
  const { data } = useQuery({
    ...trpc.apiKeys.limits.list.queryOptions({ ids: ids.join(",") }),
    enabled: ids.length > 0,
    refetchInterval: EVERY_MS,
    placeholderData: (before) => before,
  });
  return useMemo(() => Map.groupBy(data?.limits ?? [], ({ keyId }) => keyId), [data]);
}
