import { defined } from "#server/defined.ts";
import type { KeyCaller } from "#server/operation/caller.ts";

/** A key as handlers see it: of this account, with the chain from itself up to its root. */
export function keyCaller(accountId: string, chain: string[]): KeyCaller {
  return {
    type: "key",
    accountId,
    id: defined(chain[0]),
    label: "Test",
    scopes: [],
    chain,
    depth: chain.length - 1,
    allowedServices: null,
    project: null,
    endUser: null,
    privacyTier: "standard",
  };
}
