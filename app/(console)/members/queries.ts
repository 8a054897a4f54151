import { counted, defineList, oneOf, search } from "#components/table/list.ts";
import type { Role } from "#server/operation/caller.ts";

/** Invitations that can still be accepted. */
export const PENDING = { status: "pending", limit: 100 } as const;

/** Each role with its rights, the strongest last. */
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

/** Returns the displayed name of a role. */
export function roleName(role: string): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}

/** Returns a sentence about the rights of a role. */
export function hintOf(role: string): string | undefined {
  return roles.find(({ value }) => value === role)?.hint;
}
