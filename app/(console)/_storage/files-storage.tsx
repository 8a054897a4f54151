"use client";

import { useQuery } from "@tanstack/react-query";
import { StorageMeter } from "#app/(console)/_storage/storage-meter.tsx";
import { useTRPC } from "#components/trpc.tsx";

/** What the account's files take of their budget. */
export function FilesStorage() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.storage.read.queryOptions({}));
  const files = data?.storage.find(({ kind }) => kind === "files");
  return <div className="h-14 w-full max-w-xs">{files && <StorageMeter {...files} />}</div>;
}
