import type { Metadata } from "next";
import type { ReactNode } from "react";
import { MembersPage } from "#app/(console)/members/members-page.tsx";
import { memberList } from "#app/(console)/members/queries.ts";
import { requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Members" };

export default async function MembersLayout({ children }: { children: ReactNode }) {
  const { memberId, role } = await requirePerson();
  const asked = memberList.query(await wantedFilters(memberList.names));
  await prefetch(trpc.members.list.queryOptions(asked), trpc.account.read.queryOptions({}));
  return (
    <Hydrate>
      <MembersPage me={memberId} owner={role === "owner"} />
      {children}
    </Hydrate>
  );
}
