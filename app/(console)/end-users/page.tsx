import type { Metadata } from "next";
import { EndUserList } from "#app/(console)/end-users/end-user-list.tsx";
import { endUserList } from "#app/(console)/end-users/queries.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "End users" };

export default async function EndUsersPage() {
  const asked = endUserList.query(await wantedFilters(endUserList.names));
  await prefetch(trpc.endUsers.list.queryOptions(asked));
  return (
    <Hydrate>
      <EndUserList />
    </Hydrate>
  );
}
