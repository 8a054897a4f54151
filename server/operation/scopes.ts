import { keysOf } from "#server/base/keys-of.ts";

/** Every scope with its permissions. */
export const SCOPES = {
  "services:read": "List managed services visible to the key.",
  "services:invoke": "Invoke an allowed generic managed service.",
  "credits:read": "Read the account's credit balance.",
  "credits:write": "Buy credits for the authenticated account through x402.",
  "projects:read": "List and read projects.",
  "projects:write": "Create, update, archive projects.",
  "usage:read": "Read project request and charged-credit summaries.",
  "audit:read": "Read project request audit events.",
  "files:read": "List and download project files.",
  "files:write": "Upload and delete project files.",
  "connections:read": "Read protected connection metadata.",
  "connections:write": "Create, rotate, disable, delete protected connections.",
  "databases:read": "Read database status, structure, records, transfers, archives.",
  "databases:write": "Provision or change database data; manage portable copies.",
  "wallets:read":
    "List and read wallets and balances; list swap tokens, read swaps, build unsigned swaps, follow fills.",
  "wallets:create": "Create a managed wallet.",
  "wallets:sign": "Quote and execute approved message signatures.",
  "wallets:transact": "Quote and execute wallet sends and swaps, including universal swaps.",
  "trading:read": "Read managed trading positions.",
  "trading:execute": "Quote and submit managed spot trades.",
  "runs:read": "List and read durable service runs.",
  "runs:write": "Create and cancel durable service runs.",
  "approvals:read": "List approvals visible to the account.",
  "approvals:write": "Approve or reject actions; administer wallet policy.",
  "artifacts:read": "List and download authenticated run artifacts.",
  "webhooks:read": "List webhooks manageable by the key.",
  "webhooks:write": "Create and disable webhooks.",
  "api_keys:manage": "Create narrower child keys; list and revoke the current key and descendants.",
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = keysOf(SCOPES);

/** A key with one of these scopes lives at most 90 days. */
export const SHORT_LIVED_SCOPES: readonly Scope[] = [
  "wallets:sign",
  "wallets:transact",
  "approvals:write",
  "trading:execute",
];

/** Apps create no keys and decide no approvals on a person's behalf. */
const NOT_FOR_APPS: readonly Scope[] = ["api_keys:manage", "approvals:write"];

/** The scopes that apps may be granted. */
export const APP_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((scope) => !NOT_FOR_APPS.includes(scope));

/** The `client_id` of the platform's own command line. */
export const CLI = "cli";

/**
 * Returns the scopes that the app with this `client_id` may be granted: every scope for the platform's own
 * command line.
 */
export function scopesFor(clientId: string): readonly Scope[] {
  return clientId === CLI ? SCOPE_NAMES : APP_SCOPES;
}
