import type { Role } from "./caller.ts";
import { SCOPE_NAMES, type Scope } from "./scopes.ts";

const READ = SCOPE_NAMES.filter((scope) => scope.endsWith(":read"));
const NOT_FOR_DEVELOPERS: readonly Scope[] = [
  "approvals:write",
  "wallets:sign",
  "wallets:transact",
  "trading:execute",
];

/**
 * The scopes of each role. Managing members and deleting the account need no scope, but the role `owner`.
 */
export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  owner: SCOPE_NAMES,
  admin: SCOPE_NAMES,
  developer: SCOPE_NAMES.filter((scope) => !NOT_FOR_DEVELOPERS.includes(scope)),
  approver: [...READ, "approvals:write"],
  viewer: READ,
};

/** The settings for which members of an account may connect apps. */
export const APP_CONNECTORS = ["everyone", "admins", "nobody"] as const;

export const isAdmin = (role: Role) => role === "owner" || role === "admin";

/** True if a member with this role may connect apps. */
export function mayConnectApps(connectors: (typeof APP_CONNECTORS)[number], role: Role): boolean {
  return connectors === "everyone" || (connectors === "admins" && isAdmin(role));
}
