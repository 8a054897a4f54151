import type { Role } from "#server/operation/caller.ts";
import { SCOPE_NAMES, type Scope } from "#server/operation/scopes.ts";

const READ = SCOPE_NAMES.filter((scope) => scope.endsWith(":read"));
const NOT_FOR_DEVELOPERS: readonly Scope[] = [
  "approvals:write",
  "wallets:sign",
  "wallets:transact",
  "trading:execute",
];

/** What each role may do (WIRE.md, "People"). Members and account deletion are the owner's beyond scopes. */
export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  owner: SCOPE_NAMES,
  admin: SCOPE_NAMES,
  developer: SCOPE_NAMES.filter((scope) => !NOT_FOR_DEVELOPERS.includes(scope)),
  approver: [...READ, "approvals:write"],
  viewer: READ,
};
