import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { passwordResets, sessions, users } from "#db/schema/accounts.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { platform } from "#server/platform.ts";
import { MAIL_ATTEMPTS, SIGN_IN_MAIL } from "#server/providers/mail/mailer.ts";
import { refuseGuessable } from "./password-strength.ts";
import { hashPassword } from "./passwords.ts";
import type { Person } from "./person.ts";
import { provePassword } from "./prove-person.ts";
import { type Origin, recordAct } from "./record-act.ts";
import type { ChangePassword } from "./schema.ts";

/** Sets the person's new password and ends all their other sessions. */
export async function changePassword(
  person: Person,
  { password, newPassword }: z.output<typeof ChangePassword>,
  origin: Origin,
): Promise<void> {
  const proved = await provePassword(person, password);
  if (newPassword === password) throw samePassword();
  await refuseGuessable(newPassword, "newPassword", [person.email, person.name]);
  const passwordHash = await hashPassword(newPassword);
  await platform().database.db.transaction(async (tx) => {
    await setPassword(tx, { userId: person.userId, from: proved, to: passwordHash, keep: person.sessionId });
    await recordAct(tx, person, { operation: "passwords.change", resource: person.userId }, origin);
  });
}

/**
 * Stores a new password. Ends the sessions of the old password except `keep`, and its reset links. `from` is the hash
 * that must still be stored. Notifies the person by mail if a mail server is configured.
 */
export async function setPassword(
  tx: Transaction,
  { userId, from, to, keep }: { userId: string; from?: string; to: string; keep?: string },
): Promise<void> {
  const changed = await tx
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, userId), from === undefined ? undefined : eq(users.passwordHash, from)))
    .returning({ id: users.id });
  if (changed.length === 0)
    throw new ApiError(
      "state_conflict",
      "The password was changed elsewhere meanwhile. Sign in with the new one.",
    );
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        keep === undefined ? undefined : ne(sessions.id, keep),
      ),
    );
  await tx
    .update(passwordResets)
    .set({ endedAt: sql`now()` })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.endedAt)));
  if (platform().mailer)
    await enqueueJob(tx, {
      task: "mailPasswordChanged",
      payload: { userId },
      maxAttempts: MAIL_ATTEMPTS,
      priority: SIGN_IN_MAIL,
    });
  publishChange(tx, userId, "me");
}

const samePassword = () =>
  new ApiError("invalid_request", "The new password equals the current one.", {
    issues: [{ path: "body.newPassword", message: "Choose another password than the current one." }],
  });
