import type { z } from "zod";
import { exactSelectors, limitSelectors } from "#server/catalogue/selectors.ts";
import { SCOPE_NAMES, SCOPES, type Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { services } from "#server/services/registry.ts";
import { isMetered, reaches, serviceOf } from "./boundary.ts";
import { LIMIT_KINDS } from "./delegation.ts";
import { expiryOf, longestDaysOf } from "./lifetime.ts";
import type { KeyRow, LimitRow } from "./queries.ts";
import type { KeyAccess } from "./schema.ts";

type Access = z.input<typeof KeyAccess>;
type Denial = Access["operations"][number]["denied"];

/**
 * What a chain of keys allows, the highest key first, and which key decides each thing: the one that admission would
 * name. `role` are the scopes that no key may pass: a member's own. Without keys it is what a root key could have.
 */
export function effectiveAccess(
  chain: readonly KeyRow[],
  limits: readonly LimitRow[],
  role: readonly Scope[],
): Access {
  const { operations } = platform();
  return {
    scopes: SCOPE_NAMES.map((scope) => {
      const deniedBy = deniesScope(chain, scope)?.id ?? null;
      const allowed = !deniedBy && role.includes(scope);
      return { scope, allows: SCOPES[scope], longestDays: longestDaysOf(scope), allowed, deniedBy };
    }),
    services: services().map(({ id, name }) => {
      const deniedBy = deniesService(chain, id)?.id ?? null;
      return { id, name, allowed: !deniedBy, deniedBy };
    }),
    operations: exactSelectors(operations).map((selector) => {
      const needs = needsOf(selector);
      return { selector, ...needs, denied: denialOf(chain, role, { selector, ...needs }) };
    }),
    limits: tightestOf(chain, limits),
    expiry: earliestOf(chain),
    selectors: limitSelectors(operations).map((selector) => ({ selector, metered: isMetered(selector) })),
  };
}

function deniesScope(chain: readonly KeyRow[], scope: Scope) {
  return chain.find((key) => !key.scopes.includes(scope));
}

function deniesService(chain: readonly KeyRow[], service: string) {
  return chain.find((key) => key.allowedServices?.includes(service) === false);
}

/** The scope and the service that a call under this exact selector needs. */
function needsOf(selector: string): { scope: Scope; service: string | null } {
  const service = serviceOf(selector);
  if (service) return { scope: selector.startsWith("runs.") ? "runs:write" : "services:invoke", service };
  const operation = platform().operations.find(({ id }) => id === selector);
  return {
    scope: operation?.scope as Scope,
    service: typeof operation?.service === "string" ? operation.service : null,
  };
}

/** The first check that refuses, and the highest key that does; null as key where it is the member's role. */
function denialOf(
  chain: readonly KeyRow[],
  role: readonly Scope[],
  { selector, scope, service }: { selector: string; scope: Scope; service: string | null },
): Denial {
  const scopeBy = deniesScope(chain, scope);
  if (scopeBy || !role.includes(scope)) return { check: "scope", keyId: scopeBy?.id ?? null };
  const serviceBy = service === null ? undefined : deniesService(chain, service);
  if (serviceBy) return { check: "service", keyId: serviceBy.id };
  const operationBy = chain.find((key) => !reaches(key, selector));
  return operationBy ? { check: "operation", keyId: operationBy.id } : null;
}

/** Per selector and kind the lowest limit of the chain; of equal ones the highest key's. */
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
