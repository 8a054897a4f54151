import type { Metadata } from "next";
import { LazyChangeRole } from "#app/(console)/members/(list)/[memberId]/role/lazy-change-role.tsx";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Change role" };

export default async function ChangeRolePage({ params }: { params: Promise<{ memberId: string }> }) {
  const { memberId } = await params;
  await prefetchSubject(trpc.members.read.queryOptions({ memberId }));
  return (
    <Hydrate>
      <LazyChangeRole memberId={memberId} />
    </Hydrate>
  );
}
