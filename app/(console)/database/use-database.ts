"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";

/** Returns the account's database in its current state. */
export function useDatabase() {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.databases.account.read.queryOptions());
  return { database: data?.database, error };
}
