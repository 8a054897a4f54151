import { exactSelectors, limitSelectors, selectorsBeyondRole } from "#server/catalogue/selectors.ts";
import type { Role } from "#server/operation/caller.ts";
import type { Issue } from "#server/operation/errors.ts";
import { sentInstant } from "#server/operation/fields.ts";
import { isFields } from "#server/operation/input.ts";
import { platform } from "#server/platform.ts";
import { services } from "#server/services/registry.ts";
import type { ChainRefusals } from "./chain-refusals.ts";
import { expiryFault } from "./lifetime.ts";
import type { NewKey } from "./schema.ts";

/** True if the selector equals the other one or includes it. */
export function covers(selector: string, other: string): boolean {
  return selector === "*" || selector === other || other.startsWith(`${selector}.`);
}

/** The schema refuses longer names and longer lists. */
const MAX_NAME = 300;
const MAX_NAMES = 5000;

/** Returns the names in a value that may be a list, with their indexes. */
function namesIn(value: unknown): [number, string][] {
  if (!Array.isArray(value)) return [];
  return [...value.slice(0, MAX_NAMES).entries()].filter(
    (entry): entry is [number, string] => typeof entry[1] === "string" && entry[1].length <= MAX_NAME,
  );
}

/**
 * Returns the faults in a new key's body: unknown services, operations or selectors, and those that cannot be chosen
 * now.
 */
export function keyFaults(body: Record<string, unknown>, at: Date): Issue[] {
  const issues: Issue[] = [];
  const known = new Set(services().map((service) => service.id));
  const { operations } = platform();
  const selectors = new Map(limitSelectors(operations).map(({ selector, metered }) => [selector, metered]));
  for (const field of ["allowedServices", "excludedServices"]) {
    for (const [index, id] of namesIn(body[field]))
      if (!known.has(id))
        issues.push({ path: `body.${field}.${index}`, message: `Unknown service ${JSON.stringify(id)}.` });
  }
  for (const field of ["allowedOperations", "excludedOperations"]) {
    for (const [index, selector] of namesIn(body[field]))
      if (!selectors.has(selector) || selector === "*")
        issues.push({
          path: `body.${field}.${index}`,
          message: `Unknown operation selector ${JSON.stringify(selector)}.`,
        });
  }
  for (const [one, other] of [
    ["allowedServices", "excludedServices"],
    ["allowedOperations", "excludedOperations"],
  ] as const) {
    if (body[one] && body[other])
      issues.push({ path: `body.${other}`, message: `Send only one of ${one} and ${other}.` });
  }
  for (const [selector, limit] of Object.entries(isFields(body.limits) ? body.limits : {})) {
    if (selector.length > MAX_NAME) continue;
    if (!selectors.has(selector))
      issues.push({
        path: `body.limits.${selector}`,
        message: `Unknown operation selector ${JSON.stringify(selector)}.`,
      });
    else if (isFields(limit) && limit.creditsPerDay !== undefined && !selectors.get(selector)) {
      issues.push({
        path: `body.limits.${selector}.creditsPerDay`,
        message: `${selector} is not charged in credits. Limit one of ${["*", ...operations.filter(({ metered }) => metered).map(({ id }) => id)].join(", ")}.`,
      });
    }
  }
  const scopes = namesIn(body.scopes).map(([, scope]) => scope);
  const chosen = sentInstant.safeParse(body.expiresAt).data;
  const late = chosen === undefined ? null : expiryFault(chosen, scopes, at);
  return late ? [...issues, late] : issues;
}

/**
 * Returns the services that a new key is bound to, with exclusions resolved to an allowlist. Null: no boundary of its
 * own.
 */
export function servicesOf(
  { allowedServices, excludedServices }: NewKey,
  above: ChainRefusals,
): string[] | null {
  if (allowedServices) return [...new Set(allowedServices)];
  if (!excludedServices) return null;
  return services()
    .map((service) => service.id)
    .filter((id) => !excludedServices.includes(id) && above.service(id) === null);
}

/**
 * Returns the exact selectors that a new key is bound to, with aggregates expanded. Null: every operation registered
 * by then.
 */
export function operationsOf(
  { allowedOperations, excludedOperations }: NewKey,
  above: ChainRefusals,
): string[] | null {
  const exact = exactSelectors(platform().operations).map(({ selector }) => selector);
  if (allowedOperations)
    return exact.filter((selector) => allowedOperations.some((allowed) => covers(allowed, selector)));
  if (!excludedOperations) return null;
  return exact.filter(
    (selector) =>
      !excludedOperations.some((excluded) => covers(excluded, selector)) &&
      above.operation(selector) === null,
  );
}

/**
 * Returns a new key's body without the operations that the creator's role may not call, although it has their scope:
 * the key is bound to the others.
 */
export function withinRole(body: NewKey, role: Role): NewKey {
  const beyond = selectorsBeyondRole(role, platform().operations)
    .filter(({ operation }) => body.scopes.some((scope) => scope === operation.scope))
    .map(({ selector }) => selector);
  if (beyond.length === 0) return body;
  const { allowedOperations, excludedOperations = [] } = body;
  return allowedOperations
    ? { ...body, allowedOperations: allowedOperations.filter((selector) => !beyond.includes(selector)) }
    : { ...body, excludedOperations: [...excludedOperations, ...beyond] };
}

/** Returns the questions that the keys above a new one have to allow. */
export function askedOf(body: NewKey) {
  const boundary = body.allowedOperations ?? body.excludedOperations;
  return {
    scopes: body.scopes,
    services: body.allowedServices ?? (body.excludedServices ? services().map(({ id }) => id) : []),
    selectors: boundary ? exactSelectors(platform().operations) : [],
  };
}
