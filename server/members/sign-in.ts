import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { members, sessions, users } from "#db/schema/accounts.ts";
import { currentTime } from "#server/base/clock.ts";
import { newId } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { forgetTries, returnTry, type TryKind, takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { makeKnownBrowser, readKnownBrowser } from "./known-browser.ts";
import { isPassword } from "./passwords.ts";
import { type Origin, recordAct } from "./record-act.ts";
import { SignIn } from "./schema.ts";
import { spendCode } from "./second-factor.ts";
import type { SessionToken } from "./session-token.ts";

/** The reasons for a refused sign-in, as the sign-in page knows them. */
export type SignInRefusal =
  | "wrong_credentials"
  | "code_required"
  | "code_wrong"
  | "no_account"
  | "invitation_over"
  | "invitation_for_another"
  | `wait:${number}`;

export class SignInError extends Error {
  readonly refusal: SignInRefusal;

  constructor(refusal: SignInRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** The cookies that the browser sent with a sign-in: of the session to be replaced, and of the known browser. */
export interface Browser {
  session: SessionToken | null;
  known: string | undefined;
}

/**
 * Signs somebody in by e-mail, password and, if set up, the second factor. Every attempt is counted before it is
 * judged. With an invitation they join its account and start there. Returns the cookies' contents.
 */
export async function signIn(
  input: unknown,
  browser: Browser,
  origin: Origin,
): Promise<{ session: SessionToken; known: string }> {
  const sent = SignIn.safeParse(input);
  if (!sent.success) throw new SignInError("wrong_credentials");
  const { email, password, code, invitation } = sent.data;
  const address = origin.ip ?? "";
  await takeTry("address", address).catch(asWait);
  const known = await readKnownBrowser(browser.known, email);
  const tries: [TryKind, string] = known ? ["browser", known] : ["email", email];
  await takeTry(...tries).catch(async (reason) => {
    await returnTry("address", address);
    asWait(reason);
  });

  const { db } = platform().database;
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      passwordHash: users.passwordHash,
      totpSecret: users.totpSecret,
    })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email));
  const right = await isPassword(password, user?.passwordHash);
  if (!user || !right) throw new SignInError("wrong_credentials");
  if (user.totpSecret && !code) {
    await Promise.all([returnTry("address", address), returnTry(...tries)]);
    throw new SignInError("code_required");
  }
  const { totpSecret } = user;
  if (totpSecret && !(await spendCode(db, { id: user.id, totpSecret }, code as string)))
    throw new SignInError("code_wrong");
  await Promise.all([returnTry("address", address), forgetTries(...tries)]);
  const session = await openSession(user, invitation, browser.session, origin);
  return { session, known: await makeKnownBrowser(email) };
}

async function openSession(
  user: { id: string; email: string; name: string; passwordHash: string },
  invitation: string | undefined,
  earlier: SessionToken | null,
  origin: Origin,
): Promise<SessionToken> {
  const sessionId = newId("session");
  const now = currentTime();
  return platform().database.db.transaction(async (tx) => {
    await refuseOldPassword(tx, user);
    const { accountId, memberId } =
      invitation === undefined
        ? await firstMembership(tx, user.id)
        : await acceptInvitation(tx, { token: invitation, user }, origin).catch(asRefusal);
    if (earlier)
      await tx
        .update(sessions)
        .set({ revokedAt: now })
        .where(and(eq(sessions.id, earlier.sessionId), isNull(sessions.revokedAt)));
    await tx.insert(sessions).values({
      id: sessionId,
      userId: user.id,
      userAgent: origin.userAgent?.slice(0, 300) ?? null,
      ip: origin.ip,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + platform().settings.sessions.lastSeconds * 1000),
    });
    await recordAct(
      tx,
      { accountId, memberId, name: user.name },
      { operation: "sessions.create", resource: sessionId },
      origin,
    );
    publishChange(tx, user.id, "me");
    return { sessionId, accountId, secret: randomBytes(32).toString("base64url") };
  });
}

/**
 * Refuses a password that was changed in the meantime; a later change waits for this sign-in and then ends its
 * session.
 */
async function refuseOldPassword(
  tx: Transaction,
  { id, passwordHash }: { id: string; passwordHash: string },
) {
  const [same] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)))
    .for("share");
  if (!same) throw new SignInError("wrong_credentials");
}

async function firstMembership(tx: Transaction, userId: string) {
  const [member] = await tx
    .select({ accountId: members.accountId, memberId: members.id })
    .from(members)
    .where(eq(members.userId, userId))
    .orderBy(members.id)
    .limit(1);
  if (!member) throw new SignInError("no_account");
  return member;
}

function asRefusal(reason: unknown): never {
  if (!(reason instanceof ApiError)) throw reason;
  throw new SignInError(reason.code === "policy_denied" ? "invitation_for_another" : "invitation_over");
}

function asWait(reason: unknown): never {
  if (reason instanceof ApiError && reason.details.retryAfterSeconds)
    throw new SignInError(`wait:${reason.details.retryAfterSeconds}`);
  throw reason;
}
