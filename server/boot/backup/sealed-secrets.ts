import { randomBytes, scryptSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { decrypt, encrypt } from "#server/base/aes-gcm.ts";
import { codeOf } from "#server/base/thrown.ts";
import { Refusal } from "../refusal.ts";

/** The secrets without which a copy of the data is useless. */
const BackupSecrets = z.object({
  /** By the names of settings. */
  secrets: z.record(z.string(), z.string()),
  /** The superuser's password of each embedded cluster. */
  passwords: z.record(z.string(), z.string()),
});
export type BackupSecrets = z.output<typeof BackupSecrets>;

const Sealed = z.object({ format: z.literal(1), salt: z.string(), sealed: z.string() });

const CONTEXT = "backup-secrets";
// 128 MB and half a second for each guess.
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1_048_576 };
const fileIn = (folder: string) => join(folder, "secrets.sealed.json");

/** Stores sealed secrets in a backup. */
export function sealSecrets(folder: string, passphrase: string, kept: BackupSecrets): void {
  const salt = randomBytes(16);
  const plain = new TextEncoder().encode(JSON.stringify(kept));
  const sealed = encrypt(scryptSync(passphrase, salt, 32, COST), CONTEXT, plain);
  const content: z.output<typeof Sealed> = {
    format: 1,
    salt: salt.toString("base64"),
    sealed: Buffer.from(sealed).toString("base64"),
  };
  writeFileSync(fileIn(folder), JSON.stringify(content), { mode: 0o600, flush: true });
}

/** Opens the secrets of a backup. Throws a `Refusal` if the passphrase is wrong. */
export function openSecrets(folder: string, passphrase: string): BackupSecrets {
  let text: string;
  try {
    text = readFileSync(fileIn(folder), "utf8");
  } catch (reason) {
    if (codeOf(reason) !== "ENOENT") throw reason;
    throw new Refusal(`${fileIn(folder)} is missing: this backup can't be restored.`);
  }
  const { salt, sealed } = Sealed.parse(JSON.parse(text));
  const key = scryptSync(passphrase, Buffer.from(salt, "base64"), 32, COST);
  const plain = decrypt(key, CONTEXT, Buffer.from(sealed, "base64"));
  if (!plain)
    throw new Refusal("BACKUP_PASSPHRASE is not the one by which the backup's secrets were encrypted.");
  return BackupSecrets.parse(JSON.parse(new TextDecoder().decode(plain)));
}
