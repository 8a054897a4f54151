import { and, eq } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { accounts, members } from "#db/schema/accounts.ts";
import { uuidOf } from "#server/base/ids.ts";
import { notFound } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import type { Person } from "./person.ts";
import { type Origin, recordAct } from "./record-act.ts";
import { type SessionToken, secureCookies, sessionCookie } from "./session-token.ts";

/** Returns the accounts that the person is a member of, the oldest membership first. */
export async function listAccounts({ userId, accountId }: Person) {
  const rows = await platform()
    .database.db.select({ id: accounts.id, name: accounts.name, role: members.role })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.userId, userId))
    .orderBy(members.id)
    .limit(100);
  return { accounts: rows.map((row) => ({ ...row, current: row.id === accountId })) };
}

/** Switches the session to another of the person's accounts; returns the new cookie. */
export async function switchAccount(
  person: Person,
  session: SessionToken,
  accountId: string,
  origin: Origin,
): Promise<string> {
  await platform().database.db.transaction(async (tx) => {
    const [member] = uuidOf("account", accountId)
      ? await tx
          .select({ id: members.id })
          .from(members)
          .where(and(eq(members.userId, person.userId), eq(members.accountId, accountId)))
      : [];
    if (!member) throw notFound("account", accountId);
    const into = { accountId, memberId: member.id, name: person.name };
    await recordAct(tx, into, { operation: "sessions.switch", resource: person.sessionId }, origin);
  });
  return cookieFor({ ...session, accountId });
}

/** Accepts an invitation and switches to its account. */
export async function joinAccount(
  person: Person,
  session: SessionToken,
  token: string,
  origin: Origin,
): Promise<{ accountId: string; cookie: string }> {
  const user = { id: person.userId, email: person.email, name: person.name };
  const { accountId } = await platform().database.db.transaction((tx) =>
    acceptInvitation(tx, { token, user }, origin),
  );
  return { accountId, cookie: await cookieFor({ ...session, accountId }) };
}

/** Returns the session's cookie as next-auth sets it at sign-in. */
async function cookieFor({ sessionId, accountId, secret }: SessionToken): Promise<string> {
  const { authSecrets, sessions } = platform().settings;
  const value = await encode({
    token: { sessionId, accountId, secret },
    secret: authSecrets[0],
    maxAge: sessions.lastSeconds,
  });
  const secure = secureCookies() ? "; Secure" : "";
  return `${sessionCookie()}=${value}; Path=/; Max-Age=${sessions.lastSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
