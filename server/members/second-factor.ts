import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { users } from "#db/schema/accounts.ts";
import { defined } from "#server/defined.ts";
import { openTotp, stepOfCode } from "./totp.ts";

const RECOVERY_CODES = 10;
// Crockford's alphabet: nothing in it is mistaken for another letter.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUP = /.{4}/g;

function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return defined(letters.match(GROUP)).join("-");
}

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode);

/** What is stored of a recovery code: eighty random bits need no slow hash. */
function recoveryHash(code: string): string {
  return createHash("sha256")
    .update(code.toLowerCase().replace(/[^0-9a-z]/g, ""))
    .digest("hex");
}

/** The column's value for these codes. */
export function recoveryHashes(codes: readonly string[]) {
  return sql<Uint8Array[]>`(select array_agg(decode(hash, 'hex'))
    from jsonb_array_elements_text(${JSON.stringify(codes.map(recoveryHash))}::jsonb) hash)`;
}

/** Uses a code of the app, or a recovery code. The row decides, so that each is good once however often it is sent. */
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
