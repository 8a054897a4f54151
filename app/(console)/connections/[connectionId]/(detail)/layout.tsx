import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ConnectionDetail } from "#app/(console)/connections/[connectionId]/connection-detail.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Connection" };

export default async function ConnectionLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ connectionId: string }>;
}) {
  const { connectionId } = await params;
  await prefetchSubject(trpc.connections.read.queryOptions({ connectionId }));
  return (
    <Hydrate>
      <ConnectionDetail connectionId={connectionId} mayWrite={await may("connections:write")} />
      {children}
    </Hydrate>
  );
}
