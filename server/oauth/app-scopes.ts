import { FIRST_SCOPES } from "#server/operation/challenge.ts";
import { CLI, SCOPE_NAMES, type Scope, SHORT_LIVED_SCOPES, scopesFor } from "#server/operation/scopes.ts";

/** Scopes that can spend credits or money: an app with one of these needs a daily limit. */
export const SPENDING_SCOPES: readonly Scope[] = [
  "services:invoke",
  "runs:write",
  "wallets:transact",
  "trading:execute",
];

/**
 * The scopes of a request that names none; for the command line, everything except moving money and deciding
 * approvals.
 */
const UNNAMED: Record<"cli" | "others", readonly Scope[]> = {
  cli: SCOPE_NAMES.filter((scope) => scope !== "credits:write" && !SHORT_LIVED_SCOPES.includes(scope)),
  others: FIRST_SCOPES,
};

/** Returns the scopes of a `scope` parameter that an app may get; null if it names only unknown scopes. */
export function scopesAsked(parameter: string | undefined, clientId: string): Scope[] | null {
  const named = (parameter ?? "").split(" ").filter((name) => name !== "" && name !== "offline_access");
  if (named.length === 0) return [...UNNAMED[clientId === CLI ? "cli" : "others"]];
  const known = SCOPE_NAMES.filter((scope) => named.includes(scope));
  return known.length === 0 ? null : known.filter((scope) => scopesFor(clientId).includes(scope));
}
