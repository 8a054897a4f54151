import type { Metadata } from "next";
import { LazyInviteMember } from "#app/(console)/members/(list)/new/lazy-invite-member.tsx";

export const metadata: Metadata = { title: "Invite member" };

export default function InviteMemberPage() {
  return <LazyInviteMember />;
}
