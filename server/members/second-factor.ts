import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { users } from "#db/schema/accounts.ts";
import { defined } from "#server/defined.ts";
import { openTotp, stepOfCode } from "./totp.ts";

const RECOVERY_CODES = 10;
/** Of five random bits each. */
const RECOVERY_CODE_CHARACTERS = 24;
// Crockford's alphabet: none of its characters is mistaken for another.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUP = /.{4}/g;

function newRecoveryCode(): string {
  const random = [...randomBytes(RECOVERY_CODE_CHARACTERS)];
  const characters = random.map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return defined(characters.match(GROUP)).join("-");
}

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode);

/** What is stored of a recovery code: 112 random bits or more need no slow hash (ASVS 5.0, V6.5.2). */
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
