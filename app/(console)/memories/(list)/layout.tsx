import type { Metadata } from "next";
import type { ReactNode } from "react";
import { MemoryList } from "#app/(console)/memories/memory-list.tsx";
import { NoMemoriesForRole } from "#app/(console)/memories/no-memories-for-role.tsx";
import { memoryList } from "#app/(console)/memories/queries.ts";
import { holds, may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Memories" };

export default async function MemoriesLayout({ children }: { children: ReactNode }) {
  if (!(await holds("services:invoke"))) return <NoMemoriesForRole />;
  const asked = memoryList.query(await wantedFilters(memoryList.names));
  await prefetch(trpc.memories.list.queryOptions(asked));
  return (
    <Hydrate>
      <MemoryList mayWrite={await may("services:invoke")} mayAsk={await may("approvals:write")} />
      {children}
    </Hydrate>
  );
}
