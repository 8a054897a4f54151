import type { Metadata } from "next";
import { InviteMember } from "#app/(console)/members/(list)/new/invite-member.tsx";

export const metadata: Metadata = { title: "Invite member" };

export default function InviteMemberPage() {
  return <InviteMember />;
}
