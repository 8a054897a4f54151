import { PRIVACY_TIERS, type PrivacyTier } from "#server/operation/caller.ts";
import { ApiError, type Issue } from "#server/operation/errors.ts";
import { covers, reaches } from "./boundary.ts";
import { expiryOf } from "./lifetime.ts";
import type { KeyRow, LimitRow } from "./queries.ts";
import type { NewKey } from "./schema.ts";

export const MAX_DEPTH = 8;
export const LIMIT_KINDS = ["requestsPerMinute", "maxConcurrent", "creditsPerDay"] as const;

/** What a new key would allow, made explicit. */
export interface Policy {
  services: string[] | null;
  operations: string[] | null;
  privacyTier: PrivacyTier;
}

/**
 * Refuses a child that is wider than a key above it (spec, "Delegation"), naming each excess and the ancestor.
 * `ancestors` are the parent and all above it, the highest first; `usedAt` says when the present request used the parent.
 */
export function refuseExcess(
  body: NewKey,
  policy: Policy,
  ancestors: readonly KeyRow[],
  limits: readonly LimitRow[],
  usedAt: Date | undefined,
): void {
  const issues: Issue[] = [];
  const excess = (path: string, what: string, ancestor: KeyRow) =>
    issues.push({ path, message: `${what} exceeds key ${ancestor.id}.` });
  const parent = ancestors.at(-1);
  if (parent && parent.depth >= MAX_DEPTH) {
    issues.push({
      path: "body",
      message: `Key ${parent.id} is at depth ${parent.depth}; delegation has at most ${MAX_DEPTH} levels.`,
    });
  }
  body.scopes.forEach((scope, index) => {
    const above = ancestors.find((ancestor) => !ancestor.scopes.includes(scope));
    if (above) excess(`body.scopes.${index}`, `The scope ${scope}`, above);
  });
  for (const service of body.allowedServices ?? []) {
    const above = ancestors.find(
      (ancestor) => ancestor.allowedServices && !ancestor.allowedServices.includes(service),
    );
    if (above) excess("body.allowedServices", `The service ${service}`, above);
  }
  if (body.allowedOperations) {
    for (const selector of policy.operations ?? []) {
      const above = ancestors.find((ancestor) => !reaches(ancestor, selector));
      if (above) excess("body.allowedOperations", `The operation ${selector}`, above);
    }
  }
  if (body.expiresAt) {
    const chosen = Date.parse(body.expiresAt);
    const above = ancestors.find(
      (ancestor) => expiryOf(ancestor, ancestor === parent ? usedAt : undefined).getTime() < chosen,
    );
    if (above) excess("body.expiresAt", `The expiry ${body.expiresAt}`, above);
  }
  const rank = PRIVACY_TIERS.indexOf(policy.privacyTier);
  const looser = ancestors.find((ancestor) => PRIVACY_TIERS.indexOf(ancestor.privacyTier) > rank);
  if (looser) excess("body.privacyTier", `The privacy tier ${policy.privacyTier} is looser and`, looser);
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
  throwExcess(issues, ancestors);
}

/** Refuses a child that leaves its parent's project or end user. */
export function refuseRebinding(
  body: NewKey,
  { project, endUser }: { project: { id: string } | null; endUser: { externalId: string | null } | null },
): void {
  if (project && body.projectId !== undefined && body.projectId !== project.id) {
    throwExcess([{ path: "body.projectId", message: `${body.projectId} leaves project ${project.id}.` }], []);
  }
  if (endUser && body.endUser !== undefined && body.endUser !== endUser.externalId) {
    throwExcess(
      [{ path: "body.endUser", message: "It leaves the end user that the parent is bound to." }],
      [],
    );
  }
}

function throwExcess(issues: Issue[], ancestors: readonly KeyRow[]): void {
  if (issues.length === 0) return;
  throw new ApiError(
    "delegation_exceeds_parent",
    `A child key can't be wider than the keys above it: ${issues[0]?.path}: ${issues[0]?.message}`,
    {
      issues,
      keyId: ancestors.find((ancestor) => issues[0]?.message.includes(ancestor.id))?.id,
    },
  );
}
