"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import type { KeyCalls, UsedLimit } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

const LIMITS_EVERY_MS = 10_000;
const CALLS_EVERY_MS = 60_000;
/** The maximum of ids in one call. */
const MAX_IDS = 100;

/** The keys' current usage of limits and their calls of the last day, by key id. */
export interface KeyNumbers {
  limits: ReadonlyMap<string, readonly UsedLimit[]>;
  calls: ReadonlyMap<string, KeyCalls>;
}

type Limited = Pick<ApiKey, "id" | "limits">;

/** Returns the current usage of the keys' own limits, by key id. */
export function useUsedLimits(keys: readonly Limited[]): KeyNumbers["limits"] {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const limited = idsOf(keys.filter(({ limits }) => Object.keys(limits).length > 0));
  const limits = useQuery({
    queryKey: [...trpc.apiKeys.limits.list.pathKey(), "each", limited],
    queryFn: () => readAll(limited, (ids) => client.apiKeys.limits.list.query({ ids })),
    enabled: limited.length > 0,
    refetchInterval: LIMITS_EVERY_MS,
    placeholderData: (before) => before,
  }).data;
  return Map.groupBy(limits?.flatMap((part) => part.limits) ?? [], ({ keyId }) => keyId);
}

/** Returns the current usage of the keys' own limits, and the number of their calls. */
export function useKeyNumbers(keys: readonly Limited[]): KeyNumbers {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const ids = idsOf(keys);
  const calls = useQuery({
    queryKey: [...trpc.apiKeys.calls.list.pathKey(), "each", ids],
    queryFn: () => readAll(ids, (ids) => client.apiKeys.calls.list.query({ ids })),
    enabled: ids.length > 0,
    refetchInterval: CALLS_EVERY_MS,
    placeholderData: (before) => before,
  }).data;
  return {
    limits: useUsedLimits(keys),
    calls: new Map(calls?.flatMap((part) => part.calls).map((one) => [one.keyId, one])),
  };
}

/** Reads in as many calls as the ids need. */
function readAll<Part>(ids: readonly string[], read: (ids: string) => Promise<Part>): Promise<Part[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, nth) =>
    ids.slice(nth * MAX_IDS, (nth + 1) * MAX_IDS).join(","),
  );
  return Promise.all(parts.map(read));
}

const idsOf = (keys: readonly { id: string }[]) => [...new Set(keys.map(({ id }) => id))].sort();
