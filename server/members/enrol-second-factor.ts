import { randomBytes } from "node:crypto";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessions, users } from "#db/schema/accounts.ts";
import { ApiError } from "#server/operation/errors.ts";
import { forgetTries, takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import type { Person } from "./person.ts";
import { provePassword, wrongCode } from "./prove-person.ts";
import { type Origin, recordAct, recordByOperator } from "./record-act.ts";
import { newRecoveryCodes, recoveryHashes, spendCode } from "./second-factor.ts";
import { enrolmentOf, openTotp, sealTotp, stepOfCode } from "./totp.ts";

const SECRET_BYTES = 20;
const NO_SECOND_FACTOR = { totpSecret: null, totpPending: null, totpLastStep: null, recoveryCodes: [] };

/** Creates a secret for the person's authenticator app; it takes effect once a code of it is confirmed. */
export async function beginSecondFactor(person: Person, { password }: { password: string }) {
  await provePassword(person, password);
  const secret = new Uint8Array(randomBytes(SECRET_BYTES));
  const begun = await platform()
    .database.db.update(users)
    .set({ totpPending: sealTotp(person.userId, secret) })
    .where(and(eq(users.id, person.userId), isNull(users.totpSecret)))
    .returning({ id: users.id });
  if (begun.length === 0) throw alreadyOn();
  const enrolment = enrolmentOf(secret, person.email);
  const { default: QRCode } = await import("qrcode");
  return { secret: enrolment.secret, qrCode: await QRCode.toDataURL(enrolment.uri, { margin: 1, scale: 6 }) };
}

/** Turns the second factor on and returns the recovery codes, which are never shown again. */
export async function confirmSecondFactor(person: Person, { code }: { code: string }, origin: Origin) {
  await takeTry("code", person.userId);
  const recoveryCodes = newRecoveryCodes();
  await platform().database.db.transaction(async (tx) => {
    const { totpPending, totpSecret } = await lockUser(tx, person);
    if (totpSecret) throw alreadyOn();
    if (!totpPending) throw new ApiError("state_conflict", "No second factor is being set up. Begin first.");
    const step = stepOfCode(openTotp(person.userId, totpPending), code);
    if (step === null) throw wrongCode();
    await tx
      .update(users)
      .set({
        totpSecret: totpPending,
        totpPending: null,
        totpLastStep: step,
        recoveryCodes: recoveryHashes(recoveryCodes),
      })
      .where(eq(users.id, person.userId));
    await recordAct(tx, person, { operation: "secondFactor.enable", resource: person.userId }, origin);
  });
  await forgetTries("code", person.userId);
  return { recoveryCodes };
}

/** Turns the second factor off. Needs the password and a code, so that an unattended browser is not enough. */
export async function disableSecondFactor(
  person: Person,
  { password, code }: { password: string; code: string },
  origin: Origin,
): Promise<void> {
  await provePassword(person, password);
  await takeTry("code", person.userId);
  await platform().database.db.transaction(async (tx) => {
    const { totpSecret } = await lockUser(tx, person);
    if (!totpSecret) throw new ApiError("state_conflict", "The second factor is off already.");
    if (!(await spendCode(tx, { id: person.userId, totpSecret }, code))) throw wrongCode();
    await tx.update(users).set(NO_SECOND_FACTOR).where(eq(users.id, person.userId));
    await recordAct(tx, person, { operation: "secondFactor.disable", resource: person.userId }, origin);
  });
  await forgetTries("code", person.userId);
}

/**
 * Turns off the second factor of a person who has lost it and the recovery codes, and ends their sessions. The
 * operator has verified their identity. Returns false if nobody with this address has a second factor.
 */
export async function removeSecondFactor(tx: Transaction, email: string): Promise<boolean> {
  const [user] = await tx
    .update(users)
    .set(NO_SECOND_FACTOR)
    .where(and(eq(sql`lower(${users.email})`, email), isNotNull(users.totpSecret)))
    .returning({ id: users.id, name: users.name });
  if (!user) return false;
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, user.id), isNull(sessions.revokedAt)));
  await recordByOperator(tx, user, "secondFactor.remove");
  return true;
}

/** Locks the user's row: of two concurrent changes the second waits and sees the result of the first. */
async function lockUser(tx: Transaction, { userId }: Person) {
  const [user] = await tx
    .select({ totpSecret: users.totpSecret, totpPending: users.totpPending })
    .from(users)
    .where(eq(users.id, userId))
    .for("update");
  if (!user) throw new ApiError("unauthenticated", "The person no longer exists.");
  return user;
}

const alreadyOn = () => new ApiError("state_conflict", "The second factor is on already. Turn it off first.");
