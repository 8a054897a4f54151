import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { sessions, users } from "#db/schema/accounts.ts";
import { ApiError } from "#server/operation/errors.ts";
import { forgetTries, takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { isPassword } from "./passwords.ts";
import type { Person } from "./person.ts";
import { type Origin, recordAct } from "./record-act.ts";
import type { Proof } from "./schema.ts";
import { spendCode } from "./second-factor.ts";

/** Verifies the person's identity again: by a code if a second factor is set up, else by the password. */
export async function provePerson(
  person: Person,
  proof: z.output<typeof Proof>,
  origin: Origin,
): Promise<void> {
  if (person.secondFactor) await proveCode(person, proof.code);
  else await provePassword(person, proof.password);
  await platform().database.db.transaction(async (tx) => {
    await tx
      .update(sessions)
      .set({ provedAt: sql`now()` })
      .where(and(eq(sessions.id, person.sessionId), eq(sessions.userId, person.userId)));
    await recordAct(tx, person, { operation: "sessions.prove", resource: person.sessionId }, origin);
  });
}

/** Refuses a wrong password, and returns the hash of a right one; every attempt is counted before it is judged. */
export async function provePassword(person: Person, password: string | undefined): Promise<string> {
  if (!password) throw refusedField("password", "Enter your password.");
  await takeTry("password", person.userId);
  const user = await readUser(person);
  if (!(await isPassword(password, user.passwordHash)))
    throw refusedField("password", "The password is wrong.");
  await forgetTries("password", person.userId);
  return user.passwordHash;
}

async function proveCode(person: Person, code: string | undefined): Promise<void> {
  if (!code) throw refusedField("code", "Enter a code of your authenticator app, or a recovery code.");
  await takeTry("code", person.userId);
  const { totpSecret } = await readUser(person);
  const right =
    totpSecret && (await spendCode(platform().database.db, { id: person.userId, totpSecret }, code));
  if (!right) throw wrongCode();
  await forgetTries("code", person.userId);
}

async function readUser({ userId }: Person) {
  const [user] = await platform()
    .database.db.select({ passwordHash: users.passwordHash, totpSecret: users.totpSecret })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) throw new ApiError("unauthenticated", "The person no longer exists.");
  return user;
}

/** Returns the error for a form field. */
function refusedField(field: "password" | "code", message: string): ApiError {
  return new ApiError("invalid_request", `The ${field} was not accepted.`, {
    issues: [{ path: `body.${field}`, message }],
  });
}

/** Returns the error for a wrong code. */
export const wrongCode = () =>
  refusedField("code", "The code is wrong, or was used before. Wait for the next one.");
