import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { users } from "#db/schema/accounts.ts";
import { defined } from "#server/base/defined.ts";
import { openTotp, stepOfCode } from "./totp.ts";

const RECOVERY_CODES = 10;
/** Each character holds five random bits. */
const RECOVERY_CODE_CHARACTERS = 24;
// Crockford's alphabet, without characters that look alike.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUP = /.{4}/g;

function newRecoveryCode(): string {
  const random = [...randomBytes(RECOVERY_CODE_CHARACTERS)];
  const characters = random.map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return defined(characters.match(GROUP)).join("-");
}

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode);

/**
 * Returns the hash under which a recovery code is stored: codes of 112 or more random bits need no slow hash (ASVS
 * 5.0, V6.5.2).
 */
function recoveryHash(code: string): string {
  return createHash("sha256")
    .update(code.toLowerCase().replace(/[^0-9a-z]/g, ""))
    .digest("hex");
}

/** Returns the column's value for these codes. */
export function recoveryHashes(codes: readonly string[]) {
  return sql<Uint8Array[]>`(select array_agg(decode(hash, 'hex'))
    from jsonb_array_elements_text(${JSON.stringify(codes.map(recoveryHash))}::jsonb) hash)`;
}

/**
 * Uses up a code of the authenticator app, or a recovery code. A conditional update decides, so that each code works
 * once even when sent concurrently.
 */
export async function spendCode(
  db: Db | Transaction,
  user: { id: string; totpSecret: Uint8Array },
  code: string,
): Promise<boolean> {
  const step = stepOfCode(openTotp(user.id, user.totpSecret), code);
  const used =
    step === null
      ? await db
          .update(users)
          .set({
            recoveryCodes: sql`array_remove(${users.recoveryCodes}, decode(${recoveryHash(code)}, 'hex'))`,
          })
          .where(
            and(
              eq(users.id, user.id),
              sql`decode(${recoveryHash(code)}, 'hex') = any(${users.recoveryCodes})`,
            ),
          )
          .returning({ id: users.id })
      : await db
          .update(users)
          .set({ totpLastStep: step })
          .where(and(eq(users.id, user.id), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))))
          .returning({ id: users.id });
  return used.length > 0;
}
