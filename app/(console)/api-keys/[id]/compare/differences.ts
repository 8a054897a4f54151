import type { KeyAccess } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** A difference between two keys, with the value of each. */
export type Difference = { what: string; of: string; first: string; second: string };

export type Compared = { apiKey: ApiKey; access: KeyAccess };

const none = "–";
const kinds = { requestsPerMinute: "a minute", maxConcurrent: "at once", creditsPerDay: "credits a day" };

/** Returns the differences between two keys' effective permissions, and how many permissions of each kind are equal. */
export function differencesOf(first: Compared, second: Compared) {
  const pairs = [
    ...pairsOf("Policy", factsOf(first.apiKey), factsOf(second.apiKey)),
    ...pairsOf("Scope", scopesOf(first.access), scopesOf(second.access)),
    ...pairsOf("Service", servicesOf(first.access), servicesOf(second.access)),
    ...pairsOf("Operation", operationsOf(first.access), operationsOf(second.access)),
    ...pairsOf("Limit", limitsOf(first.access), limitsOf(second.access)),
  ];
  const differences = pairs.filter(({ first, second }) => first !== second);
  return { differences, alike: pairs.length - differences.length };
}

function pairsOf(
  of: string,
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): Difference[] {
  return [...new Set([...first.keys(), ...second.keys()])].map((what) => ({
    what,
    of,
    first: first.get(what) ?? none,
    second: second.get(what) ?? none,
  }));
}

function factsOf(key: ApiKey): Map<string, string> {
  return new Map([
    ["State", key.invalidBecause ?? key.status],
    [
      "Expires",
      key.expiryMode === "renewed_by_use" ? "30 days after its last use" : key.expiresAt.slice(0, 10),
    ],
    ["Project", key.projectId ?? "the whole account"],
    ["End user", key.endUser ?? none],
    ["Privacy tier", key.privacyTier],
  ]);
}

const allowedOr = (allowed: boolean) => (allowed ? "Allowed" : none);

const scopesOf = ({ scopes }: KeyAccess) =>
  new Map(scopes.map(({ scope, allowed }) => [scope, allowedOr(allowed)]));
const servicesOf = ({ services }: KeyAccess) =>
  new Map(services.map(({ id, allowed }) => [id, allowedOr(allowed)]));
const operationsOf = ({ operations }: KeyAccess) =>
  new Map(operations.map(({ selector, denied }) => [selector, allowedOr(denied === null)]));
const limitsOf = ({ limits }: KeyAccess) =>
  new Map(limits.map(({ selector, kind, value }) => [`${selector}, ${kinds[kind]}`, String(value)]));
