import { FIRST_SCOPES } from "#server/operation/challenge.ts";
import { APP_SCOPES, SCOPE_NAMES, type Scope } from "#server/operation/scopes.ts";

/** What can spend credits or money: an app gets one of these with a daily limit only. */
export const SPENDING_SCOPES: readonly Scope[] = [
  "services:invoke",
  "runs:write",
  "wallets:transact",
  "trading:execute",
];

/** The scopes of a `scope` parameter that an app may get; null where it names some and none of them is known. */
export function scopesAsked(parameter: string | undefined): Scope[] | null {
  const named = (parameter ?? "").split(" ").filter((name) => name !== "" && name !== "offline_access");
  if (named.length === 0) return [...FIRST_SCOPES];
  const known = SCOPE_NAMES.filter((scope) => named.includes(scope));
  return known.length === 0 ? null : known.filter((scope) => APP_SCOPES.includes(scope));
}
