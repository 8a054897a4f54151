import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { exactSelectors, limitSelectors } from "#server/catalogue/selectors.ts";
import { SCOPE_NAMES, SCOPES, type Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { services } from "#server/services/registry.ts";
import type { KeyAccess } from "./access/schema.ts";
import { refusalsOf } from "./chain-refusals.ts";
import { LIMIT_KINDS } from "./delegation.ts";
import { expiryOf, longestDaysOf } from "./lifetime.ts";
import { type KeyRow, type LimitRow, limitsOf } from "./queries.ts";

type Access = z.input<typeof KeyAccess>;

/**
 * Returns the access that a chain of keys (highest first) allows, and for each item the key that decides: the one that
 * admission would name. `role` holds a member's scopes, which no key can exceed. Without keys, returns the access that
 * a root key could have.
 */
export async function effectiveAccess(
  db: Db | Transaction,
  chain: readonly KeyRow[],
  role: readonly Scope[],
): Promise<Access> {
  const { operations } = platform();
  const selectors = exactSelectors(operations);
  const known = services();
  const refusals = await refusalsOf(db, chain, {
    scopes: SCOPE_NAMES,
    services: known.map(({ id }) => id),
    selectors,
  });
  return {
    scopes: SCOPE_NAMES.map((scope) => {
      const deniedBy = refusals.scope(scope);
      const allowed = deniedBy === null && role.includes(scope);
      return { scope, allows: SCOPES[scope], longestDays: longestDaysOf(scope), allowed, deniedBy };
    }),
    services: known.map(({ id, name }) => {
      const deniedBy = refusals.service(id);
      return { id, name, allowed: deniedBy === null, deniedBy };
    }),
    operations: selectors.map(({ selector, operation, target }) => {
      const scope = operation.scope as Scope;
      const denied = role.includes(scope)
        ? refusals.call(selector)
        : { check: "scope" as const, keyId: refusals.scope(scope) };
      return { selector, scope, service: target.serviceId ?? null, denied };
    }),
    limits: tightestOf(chain, await limitsOf(db, chain)),
    expiry: earliestOf(chain),
    selectors: limitSelectors(operations),
  };
}

/** Returns the lowest limit of the chain for each selector and kind; among equal limits, the highest key's. */
function tightestOf(chain: readonly KeyRow[], limits: readonly LimitRow[]): Access["limits"] {
  const tightest = new Map<string, Access["limits"][number]>();
  for (const { id } of chain) {
    for (const row of limits.filter(({ keyId }) => keyId === id)) {
      for (const kind of LIMIT_KINDS) {
        const value = row[kind];
        const name = `${row.selector} ${kind}`;
        if (value === null || value >= (tightest.get(name)?.value ?? Number.POSITIVE_INFINITY)) continue;
        tightest.set(name, { selector: row.selector, kind, value, keyId: id });
      }
    }
  }
  return [...tightest.values()];
}

function earliestOf(chain: readonly KeyRow[]): Access["expiry"] {
  const [first] = chain.toSorted((a, b) => expiryOf(a).getTime() - expiryOf(b).getTime());
  return first ? { at: expiryOf(first).toISOString(), keyId: first.id } : null;
}
