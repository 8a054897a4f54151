import { createReadStream, createWriteStream, existsSync, readdirSync } from "node:fs";
import { rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { type CopiedFile, copyFolder, forEach } from "./copy-files.ts";
import { type ClusterManifest, type ClusterName, placeOfSegment, type Repository } from "./repository.ts";

/** Folders whose contents belong to the running server only. */
const LEFT_EMPTY = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pgsql_tmp",
]);
const LEFT_OUT = new Set(["postmaster.pid", "postmaster.opts", "backup_label", "tablespace_map"]);

function isCopied(path: string, isFolder: boolean): boolean {
  const name = basename(path);
  if (isFolder) return !LEFT_EMPTY.has(name);
  return !LEFT_OUT.has(name) && !name.startsWith("pg_internal.init") && !name.startsWith("backup_label.");
}

const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * Copies a running cluster while it is written to, with the part of its log that makes the copy consistent. `dataDir`
 * is the folder of its files. Blocks no query.
 */
export async function copyCluster(
  url: string,
  {
    name,
    dataDir,
    to,
    repository,
  }: { name: ClusterName; dataDir: string; to: string; repository: Repository },
): Promise<{ manifest: ClusterManifest; files: CopiedFile[] }> {
  // The backup and the slot, which prevents the log from being recycled, end with the session.
  const sql = postgres(url, { max: 1, max_lifetime: null, idle_timeout: 0, onnotice: () => undefined });
  try {
    const slot = `backup_${process.pid}`;
    await sql`select pg_create_physical_replication_slot(${slot}, true, true)`;
    const [begun] = await sql<{ identifier: string; first: string }[]>`
      select system_identifier::text as identifier, pg_walfile_name(pg_backup_start(${slot}, fast => true)) as first
      from pg_control_system()`;
    const { folders, files } = await copyFolder(dataDir, to, isCopied);
    const [ended] = await sql<{ label: string; last: string }[]>`
      select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`;
    const { identifier, first } = defined(begun);
    const { label, last } = defined(ended);
    await copyLog(join(dataDir, "pg_wal"), repository.log(name), first, last);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const manifest = {
      identifier,
      label,
      firstSegment: first,
      lastSegment: last,
      folders,
      files: files.length,
      bytes,
    };
    return { manifest, files: files.map((file) => ({ ...file, path: join(name, file.path) })) };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Adds the log's files from the first to the last to the repository, beside those that the server archives. */
async function copyLog(from: string, to: string, first: string, last: string): Promise<void> {
  const names = readdirSync(from).filter((name) => SEGMENT.test(name) && first <= name && name <= last);
  if (names.length !== placeOfSegment(last) - placeOfSegment(first) + 1)
    throw new Error(
      `PostgreSQL's log from ${first} to ${last} is incomplete in ${from}: ${names.join(", ")}.`,
    );
  await forEach(names, async (name) => {
    const target = join(to, `${name}.gz`);
    if (existsSync(target)) return;
    // The server may archive the same file at the same time, under another name until it is complete.
    const draft = `${target}.copy`;
    const output = createWriteStream(draft, { mode: 0o600, flush: true });
    await pipeline(createReadStream(join(from, name)), createGzip({ level: 1 }), output);
    await rename(draft, target);
  });
}
