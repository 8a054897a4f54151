import { PRIVACY_TIERS, type PrivacyTier, type Role } from "#server/operation/caller.ts";
import { ApiError, type Issue } from "#server/operation/errors.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import { covers } from "./boundary.ts";
import type { ChainRefusals } from "./chain-refusals.ts";
import { expiryOf } from "./lifetime.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { KeyRow, LimitRow } from "./queries.ts";
import type { NewKey } from "./schema.ts";

/** The context above a new key. */
export interface Above {
  /** The parent and its ancestors, highest first; empty for a root key. */
  ancestors: readonly KeyRow[];
  /** The project and the end user that the key is already bound to by its context. */
  project: { id: string } | null;
  endUser: { id: string | null; externalId: string | null } | null;
  /** When the current request used the parent, which extends a parent that is renewed by use. */
  usedAt: Date | undefined;
}

export const LIMIT_KINDS = ["requestsPerMinute", "maxConcurrent", "creditsPerDay"] as const;

/** The policy of a new key, with aggregates and exclusions resolved. */
export interface Policy {
  services: string[] | null;
  operations: string[] | null;
  privacyTier: PrivacyTier;
}

/** The bounds that a new key must stay within. */
interface Bounds {
  policy: Policy;
  above: Above;
  /** The items that the keys above refuse. */
  refusals: ChainRefusals;
  /** The limits of the keys above. */
  limits: readonly LimitRow[];
  /** The role of the member who creates the key; null if a key creates it. */
  role: Role | null;
}

/**
 * Refuses a key that may do more than a key above it or than its creator's role; names each
 * excess and the ancestor.
 */
export function refuseExcess(body: NewKey, { policy, above, refusals, limits, role }: Bounds): void {
  const { ancestors, usedAt } = above;
  const issues: Issue[] = [];
  const excess = (path: string, what: string, ancestorId: string) =>
    issues.push({ path, message: `${what} exceeds key ${ancestorId}.` });
  const parent = ancestors.at(-1);
  if (parent && parent.depth >= MAX_DEPTH) {
    issues.push({
      path: "body",
      message: `Key ${parent.id} is at depth ${parent.depth}; delegation has at most ${MAX_DEPTH} levels.`,
    });
  }
  body.scopes.forEach((scope, index) => {
    const above = refusals.scope(scope);
    if (above) excess(`body.scopes.${index}`, `The scope ${scope}`, above);
    if (role && !ROLE_SCOPES[role].includes(scope))
      issues.push({ path: `body.scopes.${index}`, message: `The role ${role} lacks ${scope}.` });
  });
  for (const service of body.allowedServices ?? []) {
    const above = refusals.service(service);
    if (above) excess("body.allowedServices", `The service ${service}`, above);
  }
  if (body.allowedOperations) {
    for (const selector of policy.operations ?? []) {
      const above = refusals.operation(selector);
      if (above) excess("body.allowedOperations", `The operation ${selector}`, above);
    }
  }
  if (body.expiresAt) {
    const chosen = Date.parse(body.expiresAt);
    const above = ancestors.find(
      (ancestor) => expiryOf(ancestor, ancestor === parent ? usedAt : undefined).getTime() < chosen,
    );
    if (above) excess("body.expiresAt", `The expiry ${body.expiresAt}`, above.id);
  }
  const rank = PRIVACY_TIERS.indexOf(policy.privacyTier);
  const looser = ancestors.find((ancestor) => PRIVACY_TIERS.indexOf(ancestor.privacyTier) > rank);
  if (looser) excess("body.privacyTier", `The privacy tier ${policy.privacyTier} is looser and`, looser.id);
  for (const [selector, limit] of Object.entries(body.limits ?? {})) {
    for (const kind of LIMIT_KINDS) {
      const value = limit[kind];
      const tighter = limits.find(
        (row) =>
          value !== undefined &&
          covers(row.selector, selector) &&
          (row[kind] ?? Number.POSITIVE_INFINITY) < value,
      );
      if (tighter) {
        issues.push({
          path: `body.limits.${selector}.${kind}`,
          message: `${value} exceeds ${tighter[kind]}, the ${kind} of key ${tighter.keyId} on ${tighter.selector}.`,
        });
      }
    }
  }
  issues.push(...rebindings(body, above));
  const [first] = issues;
  if (!first) return;
  throw new ApiError(
    "delegation_exceeds_parent",
    `A key can't be wider than the keys above it, nor than its creator's role: ${first.path}: ${first.message}`,
    { issues, keyId: ancestors.find(({ id }) => issues.some(({ message }) => message.includes(id)))?.id },
  );
}

/** Returns the faults of a key that would leave the project or the end user that it belongs to. */
function rebindings(body: NewKey, { ancestors, project, endUser }: Above): Issue[] {
  const issues: Issue[] = [];
  const reason = (by: KeyRow | undefined) => (by ? `key ${by.id} is bound to` : "the call selects");
  if (project && body.projectId !== undefined && body.projectId !== project.id) {
    const why = reason(ancestors.find(({ projectId }) => projectId === project.id));
    issues.push({
      path: "body.projectId",
      message: `${body.projectId} leaves project ${project.id}, which ${why}.`,
    });
  }
  if (endUser && body.endUser !== undefined && body.endUser !== endUser.externalId) {
    const why = reason(ancestors.find(({ endUserId }) => endUserId !== null));
    issues.push({ path: "body.endUser", message: `It leaves the end user that ${why}.` });
  }
  return issues;
}
