import { type SQL, sql } from "drizzle-orm";
import { idOf, uuidOf } from "#server/base/ids.ts";
import type { Role } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { ROLE_SCOPES } from "#server/operation/roles.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import type { SessionToken } from "./session-token.ts";

/** A signed-in person, and the membership they work under. */
export interface Person {
  userId: string;
  email: string;
  name: string;
  sessionId: string;
  accountId: string;
  accountName: string;
  memberId: string;
  role: Role;
  secondFactor: boolean;
  /** True if the account requires a second factor that the person has not set up yet. */
  mustEnrol: boolean;
  /** True if the person may see the whole installation. */
  isOperator: boolean;
}

interface PersonRow extends Record<string, unknown> {
  user: string;
  email: string;
  name: string;
  account: string;
  member: string;
  role: Role;
  second_factor: boolean;
  required: boolean;
  operator: boolean;
}

export const sessionEnded = () =>
  new ApiError("unauthenticated", "You are not signed in, or the session has ended. Sign in again.");

/** Returns the condition that a session of `table` is valid: not revoked, not expired, and used recently enough. */
export function sessionCounts(table: SQL = sql`s`): SQL {
  return sql`${table}.revoked_at is null and ${table}.expires_at > now()
    and ${table}.last_seen_at > now() - make_interval(secs => ${platform().settings.sessions.idleSeconds})`;
}

/**
 * Returns `with touched as …`, which stores that the session is in use, at most once a minute. A malformed id matches
 * no session.
 */
export function touchSession(sessionId: string): SQL {
  const seconds = Math.min(60, platform().settings.sessions.idleSeconds / 4);
  return sql`touched as (update sessions s set last_seen_at = now() where s.id = ${uuidOf("session", sessionId)}::uuid
    and ${sessionCounts()} and s.last_seen_at < now() - make_interval(secs => ${seconds}))`;
}

/**
 * Returns the person of a session token; null once the session was revoked or has expired, or the membership has
 * ended.
 */
export async function findPerson(token: SessionToken | null): Promise<Person | null> {
  if (!token) return null;
  const rows = await platform().database.db.execute<PersonRow>(sql`
    with ${touchSession(token.sessionId)}
    select u.id as user, u.email, u.name, a.name as account, m.id as member, m.role,
      u.is_operator as operator, u.totp_secret is not null as second_factor, a.require_second_factor as required
    from sessions s join users u on u.id = s.user_id join members m on m.user_id = s.user_id
      join accounts a on a.id = m.account_id
    where s.id = ${uuidOf("session", token.sessionId)}::uuid and ${sessionCounts()}
      and m.account_id = ${uuidOf("account", token.accountId)}::uuid`);
  const [row] = rows;
  return row
    ? {
        userId: idOf("user", row.user),
        email: row.email,
        name: row.name,
        sessionId: token.sessionId,
        accountId: token.accountId,
        accountName: row.account,
        memberId: idOf("member", row.member),
        role: row.role,
        secondFactor: row.second_factor,
        mustEnrol: row.required && !row.second_factor,
        isOperator: row.operator,
      }
    : null;
}

/** True if the person's role in the account has the scope. */
export function hasScope({ role }: Person, scope: Scope): boolean {
  return ROLE_SCOPES[role].includes(scope);
}

/** Returns the scopes of the person's role in the account. */
export const scopesOf = ({ role }: Person): readonly Scope[] => ROLE_SCOPES[role];
