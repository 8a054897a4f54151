import { counted, defineList, oneOf, search } from "#components/table/list.ts";
import type { Role } from "#server/operation/caller.ts";

/** The invitations that can still be accepted. */
export const PENDING = { status: "pending", limit: 100 } as const;

/** Each role with what it may do, the strongest last. */
export const roles: { value: Role; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "Reads everything, changes nothing." },
  { value: "approver", label: "Approver", hint: "Reads everything, and decides approvals." },
  {
    value: "developer",
    label: "Developer",
    hint: "Does everything but moving money, signing, trading and deciding approvals.",
  },
  { value: "admin", label: "Admin", hint: "Does everything, but does not administer members." },
  { value: "owner", label: "Owner", hint: "Does everything, and administers members." },
];

export const memberList = defineList("members", { search, role: oneOf("Role", roles) }, ["createdAt"]).asking(
  counted,
);

/** The role as a word on the screen. */
export function roleName(role: string): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}

/** What a role may do, in a sentence. */
export function hintOf(role: string): string | undefined {
  return roles.find(({ value }) => value === role)?.hint;
}
