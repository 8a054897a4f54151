import { exactSelectors, limitSelectors } from "#server/catalogue/selectors.ts";
import type { Issue } from "#server/operation/errors.ts";
import { sentInstant } from "#server/operation/fields.ts";
import { isFields } from "#server/operation/input.ts";
import { platform } from "#server/platform.ts";
import { services } from "#server/services/registry.ts";
import { expiryFault } from "./lifetime.ts";
import type { NewKey } from "./schema.ts";

/** What a key in the chain above allows. */
export interface Boundary {
  allowedServices: string[] | null;
  allowedOperations: string[] | null;
  operationsAsOf: Date;
}

/** The operations whose calls are charged in credits, with their dynamic selectors (WIRE.md, "Keys and access"). */
const METERED = [
  "services.invoke",
  "runs.create",
  "wallets.transactions.create",
  "trading.orders.create",
  "swaps.execute",
];

/** Whether the selector is, or covers, the other one. */
export function covers(selector: string, other: string): boolean {
  return selector === "*" || selector === other || other.startsWith(`${selector}.`);
}

/** Whether `creditsPerDay` may stand on the selector. */
export function isMetered(selector: string): boolean {
  return selector === "*" || METERED.some((metered) => covers(metered, selector));
}

/** The service in a dynamic selector. */
export function serviceOf(selector: string): string | undefined {
  return /^(?:services\.invoke|runs\.create)\.([^.]+)/.exec(selector)?.[1];
}

/** Whether a boundary lets an exact selector through, as admission decides it. */
export function reaches(
  { allowedServices, allowedOperations, operationsAsOf }: Boundary,
  selector: string,
): boolean {
  if (allowedOperations) return allowedOperations.includes(selector);
  const { registrations } = platform();
  const registeredAt = registrations.get(selector) ?? 0;
  const service = serviceOf(selector);
  const serviceAt = service ? (registrations.get(`service:${service}`) ?? 0) : 0;
  return (
    registeredAt <= operationsAsOf.getTime() ||
    (allowedServices === null && serviceAt > operationsAsOf.getTime())
  );
}

/** Longer names, and more of them, are told by the schema, which takes none of them. */
const MAX_NAME = 300;
const MAX_NAMES = 5000;

/** The names in what may be a list of them, with their places. */
function namesIn(value: unknown): [number, string][] {
  if (!Array.isArray(value)) return [];
  return [...value.slice(0, MAX_NAMES).entries()].filter(
    (entry): entry is [number, string] => typeof entry[1] === "string" && entry[1].length <= MAX_NAME,
  );
}

/** What in the body of a new key names no service, operation or selector of this installation, or can't be chosen now. */
export function keyFaults(body: Record<string, unknown>, at: Date): Issue[] {
  const issues: Issue[] = [];
  const known = new Set(services().map((service) => service.id));
  const selectors = new Set(limitSelectors(platform().operations));
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
    else if (isFields(limit) && limit.creditsPerDay !== undefined && !isMetered(selector)) {
      issues.push({
        path: `body.limits.${selector}.creditsPerDay`,
        message: `${selector} is not charged in credits. Limit one of ${["*", ...METERED].join(", ")}.`,
      });
    }
  }
  const scopes = namesIn(body.scopes).map(([, scope]) => scope);
  const chosen = sentInstant.safeParse(body.expiresAt).data;
  const late = chosen === undefined ? null : expiryFault(chosen, scopes, at);
  return late ? [...issues, late] : issues;
}

/** The services that a new key is bound to; an exclusion is made explicit. Null: no boundary of its own. */
export function servicesOf(
  { allowedServices, excludedServices }: NewKey,
  above: readonly Boundary[],
): string[] | null {
  if (allowedServices) return [...new Set(allowedServices)];
  if (!excludedServices) return null;
  return services()
    .map((service) => service.id)
    .filter(
      (id) =>
        !excludedServices.includes(id) &&
        above.every((boundary) => boundary.allowedServices?.includes(id) ?? true),
    );
}

/** The exact selectors that a new key is bound to, aggregates expanded. Null: what was registered by then. */
export function operationsOf(
  { allowedOperations, excludedOperations }: NewKey,
  above: readonly Boundary[],
): string[] | null {
  const exact = exactSelectors(platform().operations);
  if (allowedOperations)
    return exact.filter((selector) => allowedOperations.some((allowed) => covers(allowed, selector)));
  if (!excludedOperations) return null;
  return exact.filter(
    (selector) =>
      !excludedOperations.some((excluded) => covers(excluded, selector)) &&
      above.every((boundary) => reaches(boundary, selector)),
  );
}
