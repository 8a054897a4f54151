import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "#server/base/thrown.ts";
import { Secrets, secretsFileOf } from "../../env/secrets.ts";
import { openBlobStore } from "../../providers/blobs/open-blob-store.ts";
import { clusterFolder } from "../engines/embedded-clusters.ts";
import { openEngineGuard } from "../engines/engine-guard.ts";
import { readPostmaster } from "../engines/postgres.ts";
import { findPostgresUser } from "../engines/postgres-user.ts";
import { migrate } from "../migrate.ts";
import { Refusal } from "../refusal.ts";
import { type Backup, type ClusterName, isWithin, listBackups, repositoryAt } from "./repository.ts";
import { restoreCluster } from "./restore-cluster.ts";
import { type RestoredFiles, restoreBlobs, restoreChains } from "./restore-files.ts";
import { openSecrets } from "./sealed-secrets.ts";
import { endUnknownTransactions, type Findings, verifyRestored } from "./verify-restored.ts";

export interface RestoreRequest {
  from: string;
  /** An empty folder, or one that does not exist yet. */
  to: string;
  /** The moment up to which commits are restored; null for all commits. */
  at: string | null;
  passphrase: string;
  say(line: string): void;
}

export interface Restored {
  /** The time of the newest restored commit. */
  reached: string;
  files: RestoredFiles;
  findings: Findings;
}

/**
 * Restores an installation and checks it. Throws a `Refusal` if that is impossible; a failure leaves the folder empty.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { from, to, at } = request;
  if (!existsSync(from)) throw new Refusal(`There is no folder ${from}.`);
  const backup = chooseBackup(from, at);
  await checkTarget(request, backup);
  const { secrets, passwords } = openSecrets(backup.folder, request.passphrase);
  const existed = existsSync(to);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  try {
    return await restoreAll(request, backup, { secrets, passwords });
  } catch (reason) {
    for (const name of ["platform", "tenants"] as const) {
      const { dataDir } = await findPostgresUser(clusterFolder(to, name));
      rmSync(dataDir, { recursive: true, force: true });
    }
    for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true });
    if (!existed) rmSync(to, { recursive: true, force: true });
    if (codeOf(reason) !== "ENOSPC") throw reason;
    throw new Refusal(`The disk of ${to} is full. Nothing was restored, and the folder is unchanged.`, {
      cause: reason,
    });
  }
}

/** Returns the newest backup from which the moment can be reached. */
function chooseBackup(from: string, at: string | null): Backup {
  const repository = repositoryAt(from);
  const all = existsSync(repository.installation) ? listBackups(repository) : [];
  if (all.length === 0) throw new Refusal(`${from} contains no backup.`);
  const found = all.findLast(({ endedAt }) => at === null || endedAt <= at);
  if (!found)
    throw new Refusal(`The oldest backup in ${from} was complete at ${all[0]?.endedAt}, after --at ${at}.`);
  const sums = readFileSync(join(found.folder, "SHA256SUMS"));
  if (createHash("sha256").update(sums).digest("hex") !== found.sums)
    throw new Refusal(
      `${join(found.folder, "SHA256SUMS")} has changed since the backup: the backup is damaged.`,
    );
  return found;
}

async function checkTarget({ from, to }: RestoreRequest, backup: Backup): Promise<void> {
  if (isWithin(to, from)) throw new Refusal(`${to} is in the folder of backups. Name another folder.`);
  for (const name of ["platform", "tenants"] as const) {
    const { dataDir } = await findPostgresUser(clusterFolder(to, name));
    const pid = readPostmaster(dataDir);
    if (pid)
      throw new Refusal(
        `A server runs on ${to} (PostgreSQL is process ${pid}). Stop it, and name an empty folder.`,
      );
    // If PostgreSQL runs under another account, its files may be elsewhere.
    if (existsSync(join(dataDir, "PG_VERSION")))
      throw new Refusal(`${dataDir} contains a database. Move it away first.`);
  }
  const found = existsSync(to) ? readdirSync(to).filter((name) => name !== "lost+found") : [];
  if (found.length > 0)
    throw new Refusal(
      `${to} is not empty (${found.slice(0, 3).join(", ")}). Restore into an empty folder, then start with it as DATA_DIR.`,
    );
  const needed = backup.platform.bytes + (backup.tenants?.bytes ?? 0);
  let place = to;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize < needed)
    throw new Refusal(
      `The disk of ${to} has ${Math.floor((bavail * bsize) / 1_048_576)} MB left; the databases alone take ${Math.ceil(needed / 1_048_576)} MB.`,
    );
}

async function restoreAll(
  { from, to, at, say }: RestoreRequest,
  backup: Backup,
  { secrets, passwords }: ReturnType<typeof openSecrets>,
): Promise<Restored> {
  const repository = repositoryAt(from);
  const guard = openEngineGuard(to, 0);
  const running: { stop(): Promise<void> }[] = [];
  async function restore(name: ClusterName, moment: string | null, endsEarly: boolean) {
    say(`Restoring the cluster ${name} from ${backup.name} …`);
    const password = passwords[name] ?? "";
    const request = { name, backup, repository, dataDir: to, password, at: moment, endsEarly, guard };
    const restored = await restoreCluster(request);
    running.push(restored.server);
    return restored;
  }
  try {
    const platform = await restore("platform", at, false);
    const reached = latest(backup.endedAt, platform.lastCommitAt);
    // Tenants are restored to the newest commit that the platform can know of, and not beyond it.
    const tenants = backup.tenants ? await restore("tenants", at ?? reached, true) : null;
    const url = platform.server.url();
    await migrate(url);
    if (tenants) await endUnknownTransactions(url, tenants.server.url());
    say("Copying files …");
    const files = backup.bucket
      ? { copied: 0, missing: [] }
      : await restoreBlobs(url, repository, join(to, "blobs"));
    await restoreChains(repository, join(to, "chains"));
    writeFileSync(secretsFileOf(to), JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true });
    say("Checking the ledger and the audit …");
    const key = Secrets.shape.AUDIT_SIGNING_KEY.parse(secrets.AUDIT_SIGNING_KEY);
    const blobs = backup.bucket ? null : openBlobStore({ folder: join(to, "blobs") });
    const findings = await verifyRestored(url, tenants?.server.url() ?? null, key, blobs);
    return { reached, files, findings };
  } finally {
    for (const server of running.toReversed()) await server.stop();
    guard.close();
  }
}

const latest = (one: string, other: string | null) => (other !== null && other > one ? other : one);
