import { defined } from "#server/base/defined.ts";
import type { KeyCaller } from "#server/operation/caller.ts";

/** Returns a key as handlers see it: its account, and its chain from itself to its root. */
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
