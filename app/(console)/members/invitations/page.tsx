import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { InvitationList } from "#app/(console)/members/invitations/invitation-list.tsx";
import { invitationList } from "#app/(console)/members/queries.ts";
import { requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Invitations" };

export default async function InvitationsPage() {
  const { role } = await requirePerson();
  if (role !== "owner") notFound();
  const asked = invitationList.query(await wantedFilters(invitationList.names));
  await prefetch(trpc.invitations.list.queryOptions(asked));
  return (
    <Hydrate>
      <InvitationList />
    </Hydrate>
  );
}
