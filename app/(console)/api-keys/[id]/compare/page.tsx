import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CompareKeys } from "#app/(console)/api-keys/[id]/compare/compare-keys.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";
import { choicesQuery } from "#components/form/choices-query.ts";

export const metadata: Metadata = { title: "Compare keys" };

export default async function CompareKeysPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!(await may("api_keys:manage"))) notFound();
  await Promise.all([
    prefetchSubject(trpc.apiKeys.read.queryOptions({ id })),
    prefetch(
      trpc.apiKeys.access.read.queryOptions({ keyId: id }),
      trpc.apiKeys.list.queryOptions(choicesQuery()),
    ),
  ]);
  return (
    <Hydrate>
      <CompareKeys id={id} />
    </Hydrate>
  );
}
