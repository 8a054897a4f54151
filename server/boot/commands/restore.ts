import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "#server/base/thrown.ts";
import { SettingsError } from "../../env/settings-error.ts";
import { Variables } from "../../env/variables.ts";
import { sentInstant } from "../../operation/fields.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { Refusal, sayFailure } from "../refusal.ts";

const usage =
  "Use npm run restore -- [--from FOLDER] [--to FOLDER] [--at T]: from a folder of backups (BACKUP_DIR) into an empty one (DATA_DIR), up to a moment in ISO 8601 UTC (all that there is).";

const Given = Variables.pick({ DATA_DIR: true, BACKUP_DIR: true, BACKUP_PASSPHRASE: true });

function read(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args, options: { from: text, to: text, at: text } }).values;
  } catch (error) {
    throw new Refusal(`${messageOf(error)}\n${usage}`);
  }
}

function momentOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const moment = sentInstant.safeParse(text);
  if (!moment.success) throw new Refusal(`--at ${text}: ${moment.error.issues[0]?.message}`);
  if (Date.parse(moment.data) > Date.now()) throw new Refusal(`--at ${text} is in the future.`);
  return moment.data;
}

try {
  const values = read(process.argv.slice(2));
  if (existsSync(".env")) process.loadEnvFile();
  const given = Given.safeParse(
    Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim())),
  );
  if (!given.success)
    throw new SettingsError(given.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`));
  const { DATA_DIR, BACKUP_DIR, BACKUP_PASSPHRASE: passphrase } = given.data;
  const from = values.from ?? BACKUP_DIR;
  if (!from) throw new Refusal(`BACKUP_DIR is not set; it is the folder to restore from.\n${usage}`);
  if (!passphrase) throw new Refusal("BACKUP_PASSPHRASE is missing; it decrypts the secrets in the backup.");
  const at = momentOf(values.at);
  const to = resolve(values.to ?? DATA_DIR);
  const { reached, files, findings } = await restoreBackup({ from, to, at, passphrase, say: console.log });
  const { transactions, events, accounts, faults } = findings;
  console.log(
    `${to} is restored to ${reached}: ${files.copied} files, ${transactions} ledger transactions, ${events} audit events of ${accounts} accounts.`,
  );
  if (files.missing.length > 0)
    console.error(
      `${files.missing.length} files are missing from the backup; reading them returns 503: ${files.missing.slice(0, 10).join(", ")}`,
    );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log("The ledger sums to zero, and every audit chain is intact.");
  console.log("Make a new backup once the platform runs.");
} catch (error) {
  sayFailure(error);
}
