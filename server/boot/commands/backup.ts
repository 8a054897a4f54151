import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "#server/base/thrown.ts";
import { readEnv } from "../../env/read-env.ts";
import { makeBackup, removeOld } from "../backup/make-backup.ts";
import { claimRepository } from "../backup/repository.ts";
import {
  clusterFolder,
  readIdentifier,
  startCluster,
  tenantsAreEmbedded,
} from "../engines/embedded-clusters.ts";
import { openEngineGuard } from "../engines/engine-guard.ts";
import { Refusal, sayFailure } from "../refusal.ts";

const usage = "Use npm run backup [-- --to FOLDER] [--keep N], FOLDER being BACKUP_DIR by default.";

function read(args: string[]) {
  const text = { type: "string" } as const;
  try {
    const { to, keep } = parseArgs({ args, options: { to: text, keep: text } }).values;
    if (keep !== undefined && !/^[1-9]\d{0,4}$/.test(keep))
      throw new Refusal(`--keep ${keep} is no number of backups from 1 to 99999.`);
    return { to, keep: keep === undefined ? null : Number(keep) };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${messageOf(error)}\n${usage}`);
  }
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MB`;

try {
  const { to, keep } = read(process.argv.slice(2));
  if (existsSync(".env")) process.loadEnvFile();
  const env = readEnv();
  if (!env.sandbox)
    throw new Refusal(
      "DATABASE_URL names a PostgreSQL of yours: back it up with pgBackRest or its provider's means (docs/operating.md, Backups).",
    );
  const folder = to ?? env.backupDir;
  if (!folder) throw new Refusal(`BACKUP_DIR is not set; it is the folder for backups.\n${usage}`);
  const passphrase = env.backupPassphrase;
  if (!passphrase)
    throw new Refusal(
      "BACKUP_PASSPHRASE is missing; it encrypts the secrets in the backup. Store it elsewhere: without it, nothing can be restored.",
    );
  const guard = openEngineGuard(env.dataDir, env.enginesWaitSeconds);
  const started = [];
  try {
    if (!existsSync(`${clusterFolder(env.dataDir, "platform")}.password`))
      throw new Refusal(`There is nothing to back up in ${env.dataDir} yet. Start the platform once.`);
    const platform = await startCluster("platform", env, guard);
    started.push(platform);
    const clusters: Parameters<typeof makeBackup>[0]["clusters"] = { platform: platform.url() };
    if (tenantsAreEmbedded(env) && existsSync(`${clusterFolder(env.dataDir, "tenants")}.password`)) {
      const tenants = await startCluster("tenants", env, guard);
      started.push(tenants);
      clusters.tenants = tenants.url();
    }
    const identifier = await readIdentifier(platform.url());
    const repository = claimRepository(folder, env.dataDir, identifier);
    const made = await makeBackup({ env, repository, passphrase, clusters });
    const bytes = made.platform.bytes + (made.tenants?.bytes ?? 0);
    console.log(`${repository.backup(made.name)}: ${megabytes(bytes)}, complete at ${made.endedAt}.`);
    if (keep !== null) console.log(`${removeOld(repository, keep)} older backups were removed.`);
    if (!env.backupDir)
      console.log("Set BACKUP_DIR and restart, so that later changes can be restored, too.");
  } finally {
    for (const cluster of started.toReversed()) await cluster.stop();
    guard.close();
  }
} catch (error) {
  sayFailure(error);
}
