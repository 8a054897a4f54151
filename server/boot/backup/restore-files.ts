import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { copyFile, copyFolder, forEach, makeFolderOf } from "./copy-files.ts";
import type { Repository } from "./repository.ts";

/** The outcome for the files that a restored database names. */
export interface RestoredFiles {
  copied: number;
  /** Keys of blobs that the backup folder does not contain. */
  missing: string[];
}

/** Copies the blobs that the restored database names, including those that were deleted later. */
export async function restoreBlobs(
  url: string,
  repository: Repository,
  folder: string,
): Promise<RestoredFiles> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const deleted = existsSync(repository.deletedBlobs) ? readdirSync(repository.deletedBlobs) : [];
  const missing: string[] = [];
  let copied = 0;
  /** Copies a blob from the first folder that contains it. */
  async function copyBlob(key: string): Promise<void> {
    const part = key.slice(-2);
    const places = [
      join(repository.blobs, part),
      ...deleted.map((name) => join(repository.deletedBlobs, name)),
    ];
    const place = places.find((place) => existsSync(join(place, key)));
    if (!place) return void missing.push(key);
    const target = join(folder, part, key);
    await makeFolderOf(target);
    await copyFile(join(place, key), target);
    copied += 1;
  }
  try {
    // Loose blobs are being written, or will be deleted.
    const rows = sql<{ key: string }[]>`
      select key::text from blob_bytes b where not exists (select from loose_blobs l where l.key = b.key)
      union all select blob_key::text from audit_archives`;
    for await (const batch of rows.cursor(1000)) await forEach(batch, ({ key }) => copyBlob(key));
    return { copied, missing: missing.sort() };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Copies the last saved states of the sandbox's chains: they may be ahead of the database, never behind it. */
export async function restoreChains(repository: Repository, folder: string): Promise<void> {
  if (existsSync(repository.chains)) await copyFolder(repository.chains, defined(folder), () => true);
}
