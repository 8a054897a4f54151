import type { Metadata } from "next";
import type { ReactNode } from "react";
import { TriggerDetail } from "#app/(console)/triggers/[triggerId]/trigger-detail.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Trigger" };

export default async function TriggerLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ triggerId: string }>;
}) {
  const { triggerId } = await params;
  await prefetchSubject(trpc.triggers.read.queryOptions({ triggerId }));
  return (
    <Hydrate>
      <TriggerDetail triggerId={triggerId} mayWrite={await may("runs:write")} />
      {children}
    </Hydrate>
  );
}
