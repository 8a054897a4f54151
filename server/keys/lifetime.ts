import { isNotNull, isNull, type lt, type lte, type SQL, sql } from "drizzle-orm";
import { allOf, anyOf } from "#db/conditions.ts";
import { apiKeys } from "#db/schema/keys.ts";
import type { Issue } from "#server/operation/errors.ts";
import { type Scope, SHORT_LIVED_SCOPES } from "#server/operation/scopes.ts";

const DAY = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;
const SHORT_DAYS = 90;

interface Expiring {
  expiryMode: "fixed" | "renewed_by_use";
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** When a key expires: at its fixed time, or 30 days after its last use. `usedAt` is the use by the present request. */
export function expiryOf({ expiresAt, lastUsedAt }: Expiring, usedAt?: Date): Date {
  if (expiresAt) return expiresAt;
  const used = Math.max(usedAt?.getTime() ?? 0, lastUsedAt?.getTime() ?? 0);
  return new Date(used + DEFAULT_DAYS * DAY);
}

/** `expiryOf` in SQL; the function stands in db/functions/access.sql. */
export const expirySql: SQL = sql`key_expiry(${apiKeys.expiresAt}, ${apiKeys.lastUsedAt})`;

/** Whether a key expires before a moment, said so that each kind of expiry is found by its own index. */
export function expires(before: typeof lt | typeof lte, moment: SQL): SQL {
  return anyOf(
    allOf(isNotNull(apiKeys.expiresAt), before(apiKeys.expiresAt, moment)),
    allOf(isNull(apiKeys.expiresAt), before(expirySql, moment)),
  );
}

/** Whether the key itself no longer counts; its ancestors may end it too. */
export function isDead(key: Expiring & { revokedAt: Date | null }, at: Date): boolean {
  return key.revokedAt !== null || expiryOf(key) <= at;
}

/** The expiry of a key for which none was chosen: 30 days, never later than its ancestors'. */
export function defaultExpiry(now: Date, ancestors: Date | null): Date {
  const expiry = now.getTime() + DEFAULT_DAYS * DAY;
  return new Date(ancestors ? Math.min(expiry, ancestors.getTime()) : expiry);
}

/** How many days a key that holds the scope may live. */
export function longestDaysOf(scope: Scope): number {
  return SHORT_LIVED_SCOPES.includes(scope) ? SHORT_DAYS : MAX_DAYS;
}

/** What is wrong with a chosen expiry; no chosen date is ever moved (spec, "Key expiry"). */
export function expiryFault(chosen: string, scopes: readonly string[], now: Date): Issue | null {
  const short = SHORT_LIVED_SCOPES.find((scope) => scopes.includes(scope));
  const days = short ? SHORT_DAYS : MAX_DAYS;
  const latest = new Date(now.getTime() + days * DAY);
  const at = Date.parse(chosen);
  if (at <= now.getTime()) return { path: "body.expiresAt", message: `${chosen} is not in the future.` };
  if (at <= latest.getTime()) return null;
  const whose = short ? `a key with ${short}` : "a key";
  return {
    path: "body.expiresAt",
    message: `${chosen} is too far ahead; ${whose} lives at most ${days} days, until ${latest.toISOString()}.`,
  };
}
