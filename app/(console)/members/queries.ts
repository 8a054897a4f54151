import { counted, defineList, oneOf, period, search, segments, wordsOf } from "#components/table/list.ts";
import { Segments } from "#components/ui/segments.tsx";
import { INVITATION_STATUSES } from "#server/members/statuses.ts";
import type { Role } from "#server/operation/caller.ts";

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

export const memberList = defineList("members", { search, role: oneOf("Role", roles), ...period }, [
  "createdAt",
]).asking(counted);

const ended = INVITATION_STATUSES.filter((status) => status !== "pending");
const statuses = [{ value: "", label: "Pending" }, ...wordsOf(ended)] as const;

/** Selects invitations that can still be accepted unless the address names another status. */
export const invitationList = defineList(
  "invitations",
  {
    status: segments("Status", statuses, Segments),
    search,
    role: oneOf("Role", roles),
    ...period,
  },
  ["createdAt"],
).asking(({ status, ...query }) => ({ ...counted(query), status: status ?? ("pending" as const) }));

/** Returns the displayed name of a role. */
export function roleName(role: string): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}

/** Returns a sentence about the rights of a role. */
export function hintOf(role: string): string | undefined {
  return roles.find(({ value }) => value === role)?.hint;
}
