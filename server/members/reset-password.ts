import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { members, passwordResets, users } from "#db/schema/accounts.ts";
import { newId } from "#server/base/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { ApiError } from "#server/operation/errors.ts";
import { forgetTries, returnTry, takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { MAIL_ATTEMPTS, SIGN_IN_MAIL } from "#server/providers/mail/mailer.ts";
import { setPassword } from "./change-password.ts";
import { linkToken, tokenHash } from "./link-token.ts";
import { refuseGuessable } from "./password-strength.ts";
import { hashPassword } from "./passwords.ts";
import { type Origin, recordAct } from "./record-act.ts";
import type { AskPasswordReset, ResetPassword } from "./schema.ts";

const LIFETIME_MINUTES = 30;

/** The condition that a password reset can still be used. */
export const OPEN_RESET = allOf(isNull(passwordResets.endedAt), gt(passwordResets.expiresAt, sql`now()`));

/** True if this installation can mail links. */
export const mailsPasswordResets = (): boolean => platform().mailer !== null;

/** Mails a link to the person with this address; the response is the same if there is no such person. */
export async function askPasswordReset(
  { email }: z.output<typeof AskPasswordReset>,
  origin: Origin,
): Promise<void> {
  if (!mailsPasswordResets())
    throw new ApiError("policy_denied", "This installation sends no mail. Ask its operator for a link.");
  await takeTry("address", origin.ip ?? "");
  await takeTry("reset", email);
  await platform().database.db.transaction(async (tx) => {
    const id = await createPasswordReset(tx, email);
    if (id)
      await enqueueJob(tx, {
        task: "mailPasswordReset",
        payload: { id },
        maxAttempts: MAIL_ATTEMPTS,
        priority: SIGN_IN_MAIL,
      });
  });
}

/** Inserts a password reset for the person with this address; returns null if there is none. */
export async function createPasswordReset(
  tx: Transaction,
  email: string,
  settings: Parameters<typeof linkToken>[2] = platform().settings,
): Promise<string | null> {
  const [user] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email));
  if (!user) return null;
  const id = newId("passwordReset");
  await tx.insert(passwordResets).values({
    id,
    userId: user.id,
    tokenHash: tokenHash(linkToken("reset-password", id, settings)),
    expiresAt: sql`now() + make_interval(mins => ${LIFETIME_MINUTES})`,
  });
  return id;
}

/** Returns whose password the token's holder may set; null once the token is no longer valid. */
export async function openPasswordReset(token: string) {
  const [user] = await platform()
    .database.db.select({ id: users.id, email: users.email, name: users.name })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(and(eq(passwordResets.tokenHash, tokenHash(token)), OPEN_RESET));
  return user ?? null;
}

/**
 * Stores a new password by the token of a link, which can be used once. Does not sign the person in: a second factor
 * is still asked for.
 */
export async function resetPassword(
  { token, newPassword }: z.output<typeof ResetPassword>,
  origin: Origin,
): Promise<void> {
  await takeTry("address", origin.ip ?? "");
  const user = await openPasswordReset(token);
  if (!user) throw linkOver();
  await returnTry("address", origin.ip ?? "");
  await refuseGuessable(newPassword, "newPassword", [user.email, user.name]);
  const passwordHash = await hashPassword(newPassword);
  await platform().database.db.transaction(async (tx) => {
    const used = await tx
      .update(passwordResets)
      .set({ endedAt: sql`now()` })
      .where(and(eq(passwordResets.tokenHash, tokenHash(token)), OPEN_RESET))
      .returning({ id: passwordResets.id });
    if (used.length === 0) throw linkOver();
    await setPassword(tx, { userId: user.id, to: passwordHash });
    const memberships = await tx
      .select({ accountId: members.accountId, memberId: members.id })
      .from(members)
      .where(eq(members.userId, user.id));
    for (const membership of memberships)
      await recordAct(
        tx,
        { ...membership, name: user.name },
        { operation: "passwords.reset", resource: user.id },
        origin,
      );
  });
  await forgetTries("email", user.email.toLowerCase());
}

const linkOver = () =>
  new ApiError("state_conflict", "The link was used, or has expired. Ask for another one.");
