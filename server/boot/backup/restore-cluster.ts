import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chown, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { log } from "#server/base/log.ts";
import { CLUSTER_OPTIONS, clusterFolder } from "../engines/embedded-clusters.ts";
import type { EngineGuard } from "../engines/engine-guard.ts";
import { type Postgres, startPostgres } from "../engines/postgres.ts";
import { findPostgresUser, type PostgresUser } from "../engines/postgres-user.ts";
import { Refusal } from "../refusal.ts";
import { copyFile, forEach, makeFolderOf } from "./copy-files.ts";
import { recoverySettings } from "./log-archive.ts";
import { type Backup, type ClusterName, placeOfSegment, type Repository } from "./repository.ts";

/** A cluster that was restored from a backup and the log after it, and is running. */
export interface RestoredCluster {
  server: Postgres;
  /** The time of the last commit that it read from the log; null if there was none after the backup. */
  lastCommitAt: string | null;
}

export interface ClusterRequest {
  name: ClusterName;
  backup: Backup;
  repository: Repository;
  /** The data folder to restore to. */
  dataDir: string;
  password: string;
  /** The moment up to which commits are restored; null for all commits. */
  at: string | null;
  /** True if the restoration may end before that moment when the log has no later commit, as for an unused cluster. */
  endsEarly: boolean;
  guard: EngineGuard;
}

/** Reading weeks of log takes long. */
const READY_MS = 24 * 3_600_000;

/** Copies a cluster from a backup and has it read its log. Throws a `Refusal` if the log does not reach the moment. */
export async function restoreCluster(request: ClusterRequest): Promise<RestoredCluster> {
  const { name, dataDir, password, endsEarly } = request;
  const folder = clusterFolder(dataDir, name);
  mkdirSync(join(dataDir, "postgres"), { recursive: true, mode: 0o700 });
  writeFileSync(`${folder}.password`, password, { mode: 0o600, flush: true });
  const user = await findPostgresUser(folder);
  await copyBack(request, user);
  try {
    return await recover(request, user);
  } catch (reason) {
    if (reason instanceof Refusal) throw reason;
    const { last, early, fault } = readLog(folder);
    if (early && endsEarly) return recover({ ...request, at: null }, user);
    if (!early && fault) throw new Refusal(`PostgreSQL did not open the copy: ${fault}`, { cause: reason });
    if (!early) throw reason;
    throw new Refusal(
      `The log has no commit after ${request.at}. ${last ? `Its last commit is of ${last}. ` : ""}Restore without --at to its end.`,
      { cause: reason },
    );
  }
}

/** Reads PostgreSQL's messages about a recovery: whether the log ended too early, the last commit, and the fault. */
function readLog(folder: string) {
  const text = readFileSync(`${folder}.log`, "utf8");
  const times = [...text.matchAll(/last completed transaction was at log time (.+?)\+00$/gm)];
  const last = times.at(-1)?.[1];
  return {
    early: text.includes("recovery ended before configured recovery target was reached"),
    fault: text.match(/^.*(?:FATAL|PANIC): +(.+)$/m)?.[1],
    last: last ? new Date(`${last.replace(" ", "T")}Z`).toISOString() : null,
  };
}

/** Copies a cluster's files to PostgreSQL's folder and compares each with its checksum. */
async function copyBack({ name, backup }: ClusterRequest, user: PostgresUser): Promise<void> {
  const { folders, label } = defined(backup[name]);
  mkdirSync(user.dataDir, { recursive: true, mode: 0o700 });
  for (const path of [...folders, "pg_wal/archive_status", "pg_wal/summaries"])
    mkdirSync(join(user.dataDir, path), { recursive: true, mode: 0o700 });
  const prefix = `${name}/`;
  const sums = readFileSync(join(backup.folder, "SHA256SUMS"), "utf8").split("\n").filter(Boolean);
  const files = sums.map((line) => [line.slice(0, 64), line.slice(66)] as const);
  await forEach(
    files.filter(([, path]) => path.startsWith(prefix)),
    async ([sum, path]) => {
      const target = join(user.dataDir, path.slice(prefix.length));
      await makeFolderOf(target);
      const copied = await copyFile(join(backup.folder, path), target);
      if (copied?.sha256 !== sum)
        throw new Refusal(
          `${join(backup.folder, path)} ${copied ? "has changed since the backup" : "is missing"}: the backup ${backup.name} is damaged. An older one may be intact; choose it by --at.`,
        );
    },
  );
  writeFileSync(join(user.dataDir, "backup_label"), label, { mode: 0o600, flush: true });
  writeFileSync(join(user.dataDir, "recovery.signal"), "", { mode: 0o600, flush: true });
  const { account } = user;
  if (!account) return;
  chownSync(user.dataDir, account.uid, account.gid);
  for (const path of await readdir(user.dataDir, { recursive: true }))
    await chown(join(user.dataDir, path), account.uid, account.gid);
}

async function recover({ name, repository, dataDir, at, guard }: ClusterRequest, user: PostgresUser) {
  const options: { settings?: Record<string, string> } = CLUSTER_OPTIONS[name];
  const server = await startPostgres({
    ...options,
    name,
    guard,
    dataDir: clusterFolder(dataDir, name),
    readyMs: READY_MS,
    settings: { ...options.settings, ...recoverySettings(repository, name, at) },
  });
  try {
    const history = newestHistory(user);
    if (at === null) checkReach(repository, name, history);
    keepHistory(repository, name, history);
    return { server, lastCommitAt: await readLastCommit(server.url()) };
  } catch (reason) {
    await server.stop();
    throw reason;
  }
}

async function readLastCommit(url: string): Promise<string | null> {
  const sql = postgres(url, { max: 1, connect_timeout: 30, onnotice: () => undefined });
  try {
    const [row] = await sql<{ at: Date | null }[]>`select pg_last_xact_replay_timestamp() as at`;
    return row?.at?.toISOString() ?? null;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

interface History {
  file: string;
  text: string;
  timeline: string;
  /** The parent timeline, and the place in its log at which this one began. */
  parent: string;
  place: number;
}

/** Returns the timeline that a recovered cluster has begun. */
function newestHistory({ dataDir }: PostgresUser): History {
  const [file] = readdirSync(join(dataDir, "pg_wal"))
    .filter((name) => /^[0-9A-F]{8}\.history$/.test(name))
    .sort()
    .reverse();
  const text = readFileSync(join(dataDir, "pg_wal", defined(file)), "utf8");
  const lines = text.split("\n").filter((line) => /^\d/.test(line));
  const [parent = "", lsn = ""] = defined(lines.at(-1)).split("\t");
  const [high = "", low = ""] = lsn.split("/");
  return {
    file: defined(file),
    text,
    timeline: basename(defined(file), ".history"),
    parent: Number(parent).toString(16).toUpperCase().padStart(8, "0"),
    place: Number.parseInt(high, 16) * 256 + Math.floor(Number.parseInt(low, 16) / 2 ** 24),
  };
}

/** Throws a `Refusal` if more log follows: a damaged or missing file ends the recovery like the log's end. */
function checkReach(repository: Repository, name: ClusterName, { parent, place }: History): void {
  const later = readdirSync(repository.log(name))
    .filter((file) => /^[0-9A-F]{24}\.gz$/.test(file) && file.startsWith(parent))
    .filter((file) => placeOfSegment(file) > place)
    .sort();
  if (later.length === 0) return;
  throw new Refusal(
    `The log in ${repository.log(name)} can't be read to its end; ${later.length} files from ${later[0]} on are left: a file before them is damaged or missing. Restore with --at to an earlier moment.`,
  );
}

/** Stores the timeline's name in the log's folder, so that the next recovery begins another one. */
function keepHistory(repository: Repository, name: ClusterName, { file, text }: History): void {
  const target = join(repository.log(name), `${file}.gz`);
  if (existsSync(target)) return;
  try {
    writeFileSync(target, gzipSync(text), { mode: 0o600, flush: true });
  } catch (error) {
    log.warn("The backup folder can't be written to. Use another BACKUP_DIR for the restored platform.", {
      error,
    });
  }
}
