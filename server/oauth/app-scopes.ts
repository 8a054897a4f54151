import { FIRST_SCOPES } from "#server/operation/challenge.ts";
import { CLI, SCOPE_NAMES, type Scope, SHORT_LIVED_SCOPES, scopesFor } from "#server/operation/scopes.ts";

/** What can spend credits or money: an app gets one of these with a daily limit only. */
export const SPENDING_SCOPES: readonly Scope[] = [
  "services:invoke",
  "runs:write",
  "wallets:transact",
  "trading:execute",
];

/** What an app asks for that names no scope: the command line everything but what moves money or decides. */
const UNNAMED: Record<"cli" | "others", readonly Scope[]> = {
  cli: SCOPE_NAMES.filter((scope) => scope !== "credits:write" && !SHORT_LIVED_SCOPES.includes(scope)),
  others: FIRST_SCOPES,
};

/** The scopes of a `scope` parameter that an app may get; null where it names some and none of them is known. */
export function scopesAsked(parameter: string | undefined, clientId: string): Scope[] | null {
  const named = (parameter ?? "").split(" ").filter((name) => name !== "" && name !== "offline_access");
  if (named.length === 0) return [...UNNAMED[clientId === CLI ? "cli" : "others"]];
  const known = SCOPE_NAMES.filter((scope) => named.includes(scope));
  return known.length === 0 ? null : known.filter((scope) => scopesFor(clientId).includes(scope));
}
