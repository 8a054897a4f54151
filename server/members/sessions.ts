import { desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { allOf } from "#db/conditions.ts";
import { sessions } from "#db/schema/accounts.ts";
import { uuidOf } from "#server/base/ids.ts";
import { notFound } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { platform } from "#server/platform.ts";
import { type Person, sessionCounts } from "./person.ts";
import { type Origin, recordAct } from "./record-act.ts";

const live = (userId: string) => allOf(eq(sessions.userId, userId), sessionCounts(sql`${sessions}`));

/** Returns the person's active sessions, the latest sign-in first. */
export async function listSessions(person: Person) {
  const rows = await platform()
    .database.db.select()
    .from(sessions)
    .where(live(person.userId))
    .orderBy(desc(sessions.id))
    .limit(100);
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === person.sessionId,
      ip: row.ip,
      userAgent: row.userAgent,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
    })),
  };
}

/** Ends one of the person's sessions at once. */
export async function revokeSession(person: Person, sessionId: string, origin: Origin): Promise<void> {
  const revoked = uuidOf("session", sessionId)
    ? await revoke(person, allOf(eq(sessions.userId, person.userId), eq(sessions.id, sessionId)), origin)
    : 0;
  if (revoked === 0) throw notFound("session", sessionId);
}

/** Ends all of the person's sessions except the current one. */
export async function revokeOtherSessions(person: Person, origin: Origin): Promise<{ revoked: number }> {
  const others = allOf(live(person.userId), ne(sessions.id, person.sessionId));
  return { revoked: await revoke(person, others, origin) };
}

function revoke(person: Person, which: SQL, origin: Origin): Promise<number> {
  return platform().database.db.transaction(async (tx) => {
    const rows = await tx
      .update(sessions)
      .set({ revokedAt: sql`coalesce(${sessions.revokedAt}, now())` })
      .where(which)
      .returning({ id: sessions.id });
    for (const { id } of rows)
      await recordAct(tx, person, { operation: "sessions.revoke", resource: id }, origin);
    // Makes their open pages leave at once.
    publishChange(tx, person.userId, "me");
    return rows.length;
  });
}
