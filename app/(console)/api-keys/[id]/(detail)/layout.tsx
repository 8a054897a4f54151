import type { Metadata } from "next";
import type { ReactNode } from "react";
import { KeyDetail } from "#app/(console)/api-keys/[id]/key-detail.tsx";
import { childList } from "#app/(console)/api-keys/queries.ts";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "API key" };

export default async function ApiKeyLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ id: string }>;
}) {
  const { id } = await params;
  const asked = childList.query(await wantedFilters(childList.names));
  await Promise.all([
    prefetchSubject(trpc.apiKeys.read.queryOptions({ id })),
    prefetch(
      trpc.apiKeys.access.read.queryOptions({ keyId: id }),
      trpc.apiKeys.list.queryOptions({ ...asked, parentId: id }),
    ),
  ]);
  return (
    <Hydrate>
      <KeyDetail id={id} />
      {children}
    </Hydrate>
  );
}
