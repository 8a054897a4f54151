import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { publicKeyOf } from "#server/base/ed25519.ts";
import { platform } from "#server/platform.ts";
import { type Archive, openArchive } from "../archive/read-archive.ts";
import { DATABASE_LIMITS } from "../schema.ts";

/** Runs `work` with the archive of this content after verifying all of it. */
export async function withArchive<T>(
  content: AsyncIterable<Uint8Array>,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  try {
    const path = join(folder, "archive.zip");
    await pipeline(Readable.from(content), createWriteStream(path));
    const { archiveSigningKey, trustedArchiveKeys } = platform().settings;
    const archive = await openArchive(path, {
      maximumBytes: 2 * DATABASE_LIMITS.maximumBytes,
      trusted: [publicKeyOf(archiveSigningKey), ...trustedArchiveKeys],
    });
    try {
      return await work(archive);
    } finally {
      archive.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
