import { isNotNull, isNull, type lt, type lte, type SQL, sql } from "drizzle-orm";
import { allOf, anyOf } from "#db/conditions.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { DAY_MS } from "#server/base/durations.ts";
import type { Issue } from "#server/operation/errors.ts";
import { type Scope, SHORT_LIVED_SCOPES } from "#server/operation/scopes.ts";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;
const SHORT_DAYS = 90;

interface Expiring {
  expiryMode: "fixed" | "renewed_by_use";
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/**
 * Returns when a key expires: at its fixed time, or 30 days after its last use. `usedAt` is the time of the current
 * request, if it uses the key.
 */
export function expiryOf({ expiresAt, lastUsedAt }: Expiring, usedAt?: Date): Date {
  if (expiresAt) return expiresAt;
  const used = Math.max(usedAt?.getTime() ?? 0, lastUsedAt?.getTime() ?? 0);
  return new Date(used + DEFAULT_DAYS * DAY_MS);
}

/** `expiryOf` in SQL; db/functions/access.sql defines the function. */
export const expirySql: SQL = sql`key_expiry(${apiKeys.expiresAt}, ${apiKeys.lastUsedAt})`;

/**
 * Returns the condition that a key expires before a moment, written so that each kind of expiry uses its own index.
 */
export function expires(before: typeof lt | typeof lte, moment: SQL): SQL {
  return anyOf(
    allOf(isNotNull(apiKeys.expiresAt), before(apiKeys.expiresAt, moment)),
    allOf(isNull(apiKeys.expiresAt), before(expirySql, moment)),
  );
}

/** True if the key itself is revoked or expired; its ancestors may invalidate it too. */
export function isDead(key: Expiring & { revokedAt: Date | null }, at: Date): boolean {
  return key.revokedAt !== null || expiryOf(key) <= at;
}

/** Returns the default expiry: 30 days from now, but no later than the ancestors'. */
export function defaultExpiry(now: Date, ancestors: Date | null): Date {
  const expiry = now.getTime() + DEFAULT_DAYS * DAY_MS;
  return new Date(ancestors ? Math.min(expiry, ancestors.getTime()) : expiry);
}

/** Returns the longest lifetime, in days, of a key with the scope. */
export function longestDaysOf(scope: Scope): number {
  return SHORT_LIVED_SCOPES.includes(scope) ? SHORT_DAYS : MAX_DAYS;
}

/** Returns the fault of a chosen expiry. A chosen date is never adjusted. */
export function expiryFault(chosen: string, scopes: readonly string[], now: Date): Issue | null {
  const short = SHORT_LIVED_SCOPES.find((scope) => scopes.includes(scope));
  const days = short ? SHORT_DAYS : MAX_DAYS;
  const latest = new Date(now.getTime() + days * DAY_MS);
  const at = Date.parse(chosen);
  if (at <= now.getTime()) return { path: "body.expiresAt", message: `${chosen} is not in the future.` };
  if (at <= latest.getTime()) return null;
  const whose = short ? `a key with ${short}` : "a key";
  return {
    path: "body.expiresAt",
    message: `${chosen} is too far ahead; ${whose} lives at most ${days} days, until ${latest.toISOString()}.`,
  };
}
