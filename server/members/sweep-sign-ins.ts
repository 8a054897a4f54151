import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

/**
 * Deletes old data of sign-ins: forgotten failures after a day; ended sessions, invitations and links after a month.
 */
export async function sweepSignIns(db: Db): Promise<void> {
  await db.execute(sql`delete from sign_in_attempts
    where greatest(forgotten_until, blocked_until) < now() - interval '1 day'`);
  await db.execute(sql`delete from sessions
    where least(expires_at, coalesce(revoked_at, expires_at)) < now() - interval '30 days'`);
  await db.execute(sql`delete from invitations
    where least(expires_at, accepted_at, revoked_at) < now() - interval '30 days'`);
  await db.execute(sql`delete from password_resets
    where least(expires_at, ended_at) < now() - interval '30 days'`);
}
