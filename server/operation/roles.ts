import type { Role } from "./caller.ts";
import { SCOPE_NAMES, type Scope } from "./scopes.ts";

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

/** Which members of an account may connect apps. */
export const APP_CONNECTORS = ["everyone", "admins", "nobody"] as const;

export const isAdmin = (role: Role) => role === "owner" || role === "admin";

/** Whether a member with this role may connect apps. */
export function mayConnectApps(connectors: (typeof APP_CONNECTORS)[number], role: Role): boolean {
  return connectors === "everyone" || (connectors === "admins" && isAdmin(role));
}
