import type { Metadata } from "next";
import type { ReactNode } from "react";
import { MemoryDetail } from "#app/(console)/memories/[memoryId]/memory-detail.tsx";
import { NoMemoriesForRole } from "#app/(console)/memories/no-memories-for-role.tsx";
import { holds, may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Memory" };

export default async function MemoryLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ memoryId: string }>;
}) {
  if (!(await holds("services:invoke"))) return <NoMemoriesForRole />;
  const { memoryId } = await params;
  await prefetchSubject(trpc.memories.read.queryOptions({ memoryId }));
  return (
    <Hydrate>
      <MemoryDetail
        memoryId={memoryId}
        mayWrite={await may("services:invoke")}
        mayAsk={await may("approvals:write")}
      />
      {children}
    </Hydrate>
  );
}
