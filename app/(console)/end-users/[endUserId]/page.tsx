import type { Metadata } from "next";
import { EndUserDetail } from "#app/(console)/end-users/[endUserId]/end-user-detail.tsx";
import { newestOf, newestRunOf } from "#app/(console)/end-users/queries.ts";
import { holds } from "#app/current-person.ts";
import { Hydrate, prefetch, prefetchSubject, readPrefetched, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "End user" };

export default async function EndUserPage({ params }: { params: Promise<{ endUserId: string }> }) {
  const subject = trpc.endUsers.read.queryOptions({ endUserId: (await params).endUserId });
  const [seesKeys, seesMemories] = [await holds("api_keys:manage"), await holds("services:invoke")];
  await prefetchSubject(subject);
  const externalId = readPrefetched(subject)?.endUser.externalId;
  if (externalId !== undefined) {
    const newest = newestOf(externalId);
    await prefetch(
      trpc.runs.list.queryOptions(newestRunOf(externalId)),
      trpc.wallets.list.queryOptions(newest),
      trpc.files.list.queryOptions(newest),
      ...(seesKeys ? [trpc.apiKeys.list.queryOptions(newest)] : []),
      ...(seesMemories ? [trpc.memories.list.queryOptions(newest)] : []),
    );
  }
  return (
    <Hydrate>
      <EndUserDetail endUserId={(await params).endUserId} seesKeys={seesKeys} seesMemories={seesMemories} />
    </Hydrate>
  );
}
