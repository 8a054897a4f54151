"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";

/** The account's database as it is now. */
export function useDatabase() {
  const trpc = useTRPC();
  const { data, error } = useQuery({
    ...trpc.databases.account.read.queryOptions(),
    // On its way in or out it changes by itself.
    refetchInterval: ({ state }) => (state.data?.database.status.endsWith("provisioning") ? 1000 : false),
  });
  return { database: data?.database, error };
}
