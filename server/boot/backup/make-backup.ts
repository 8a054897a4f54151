import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#server/base/thrown.ts";
import type { Env } from "../../env/read-env.ts";
import { loadSecrets, secretNames } from "../../env/secrets.ts";
import { findPostgresUser } from "../engines/postgres-user.ts";
import { Refusal } from "../refusal.ts";
import { copyCluster } from "./copy-cluster.ts";
import type { CopiedFile } from "./copy-files.ts";
import { createMirror, filesOf, setDeletedAside } from "./mirror-files.ts";
import {
  type ClusterManifest,
  type ClusterName,
  listBackups,
  type Manifest,
  nameOf,
  placeOfSegment,
  type Repository,
} from "./repository.ts";
import { sealSecrets } from "./sealed-secrets.ts";

export interface BackupRequest {
  env: Env;
  repository: Repository;
  passphrase: string;
  /** The administrator's address of each embedded cluster. */
  clusters: Partial<Record<ClusterName, string>>;
}

/** Makes a backup of a running installation; an interruption leaves none. */
export async function makeBackup(request: BackupRequest): Promise<Manifest & { name: string }> {
  const { env, repository } = request;
  const begun = new Date();
  const name = nameOf(begun);
  const folder = repository.backup(name);
  const draft = `${folder}.draft`;
  if (existsSync(folder) || existsSync(draft))
    throw new Refusal(`Another backup was started in this second: ${folder}.`);
  try {
    const manifest = await copyAll(request, draft, begun);
    writeFileSync(join(draft, "manifest.json"), JSON.stringify(manifest, null, 2), {
      mode: 0o600,
      flush: true,
    });
    renameSync(draft, folder);
    const { blobs } = filesOf(env);
    if (blobs) await setDeletedAside(blobs, repository, name);
    return { ...manifest, name };
  } catch (reason) {
    rmSync(draft, { recursive: true, force: true });
    if (codeOf(reason) !== "ENOSPC") throw reason;
    throw new Refusal(
      `The disk of ${repository.root} is full. The unfinished backup was removed; the others are unchanged.`,
      {
        cause: reason,
      },
    );
  }
}

async function copyAll(
  { env, repository, passphrase, clusters }: BackupRequest,
  folder: string,
  begun: Date,
): Promise<Manifest> {
  const made: Partial<Record<ClusterName, ClusterManifest>> = {};
  const files: CopiedFile[] = [];
  for (const [key, url] of Object.entries(clusters)) {
    const name = key as ClusterName;
    const { dataDir } = await findPostgresUser(join(env.dataDir, "postgres", name));
    const copied = await copyCluster(url, { name, dataDir, to: join(folder, name), repository });
    made[name] = copied.manifest;
    files.push(...copied.files);
  }
  // Copied after the database: the bytes of blobs are written before the rows that name them.
  await createMirror(filesOf(env), repository).copy();
  const endedAt = new Date().toISOString();
  sealSecrets(folder, passphrase, {
    secrets: allSecrets(env.dataDir),
    passwords: Object.fromEntries(
      Object.keys(clusters).map((name) => [
        name,
        readFileSync(join(env.dataDir, "postgres", `${name}.password`), "utf8").trim(),
      ]),
    ),
  });
  const sums = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("");
  writeFileSync(join(folder, "SHA256SUMS"), sums, { mode: 0o600, flush: true });
  return {
    format: 1,
    version: env.release.version,
    begunAt: begun.toISOString(),
    endedAt,
    platform: made.platform as ClusterManifest,
    tenants: made.tenants ?? null,
    bucket: filesOf(env).blobs === null,
    sums: createHash("sha256").update(sums).digest("hex"),
  };
}

/** Returns the installation's secrets: the configured ones, else those of the data folder. */
function allSecrets(dataDir: string): Record<string, string> {
  const kept = loadSecrets(dataDir);
  return Object.fromEntries(secretNames.map((name) => [name, process.env[name]?.trim() || kept[name]]));
}

/** Removes all but the newest backups, with the log and the deleted files that only they needed. Returns the number. */
export function removeOld(repository: Repository, keep: number): number {
  const all = listBackups(repository);
  const old = all.slice(0, -keep);
  for (const { folder } of old) rmSync(folder, { recursive: true });
  const [oldest] = all.slice(-keep);
  if (!oldest || old.length === 0) return 0;
  for (const cluster of ["platform", "tenants"] as const) {
    const first = oldest[cluster]?.firstSegment;
    if (!first) continue;
    const folder = repository.log(cluster);
    for (const name of readdirSync(folder))
      if (/^[0-9A-F]{24}\b/.test(name) && placeOfSegment(name) < placeOfSegment(first))
        rmSync(join(folder, name));
  }
  const deleted = existsSync(repository.deletedBlobs) ? readdirSync(repository.deletedBlobs) : [];
  for (const name of deleted)
    if (name <= oldest.name) rmSync(join(repository.deletedBlobs, name), { recursive: true });
  return old.length;
}
