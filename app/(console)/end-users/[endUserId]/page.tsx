import type { Metadata } from "next";
import { EndUserDetail } from "#app/(console)/end-users/[endUserId]/end-user-detail.tsx";
import { newestOf } from "#app/(console)/end-users/queries.ts";
import { holds } from "#app/current-person.ts";
import { Hydrate, prefetch, prefetchSubject, readPrefetched, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "End user" };

export default async function EndUserPage({ params }: { params: Promise<{ endUserId: string }> }) {
  const subject = trpc.endUsers.read.queryOptions({ endUserId: (await params).endUserId });
  const [seesKeys, seesMemories] = [await holds("api_keys:manage"), await holds("services:invoke")];
  await prefetchSubject(subject);
  const externalId = readPrefetched(subject)?.endUser.externalId;
  if (externalId !== undefined) {
    const { keys, memories, ...others } = newestOf(trpc, externalId);
    await prefetch(
      ...Object.values(others),
      ...(seesKeys ? [keys] : []),
      ...(seesMemories ? [memories] : []),
    );
  }
  return (
    <Hydrate>
      <EndUserDetail endUserId={(await params).endUserId} seesKeys={seesKeys} seesMemories={seesMemories} />
    </Hydrate>
  );
}
