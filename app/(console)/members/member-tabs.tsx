import { routes } from "#components/routes.ts";
import { TabLinks } from "#components/ui/tabs.tsx";

const tabs = [
  { href: routes.members.list(), label: "Members" },
  { href: routes.members.invitations(), label: "Invitations" },
];

/** The tabs of the members and, for owners, of the invitations. */
export function MemberTabs({ owner }: { owner: boolean }) {
  return owner && <TabLinks label="Members" tabs={tabs} />;
}
