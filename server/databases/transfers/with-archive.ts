import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publicKeyOf } from "#server/base/ed25519.ts";
import { ApiError } from "#server/operation/errors.ts";
import { ComponentLost } from "#server/operation/faults.ts";
import { platform } from "#server/platform.ts";
import { type Archive, openArchive } from "../archive/read-archive.ts";
import { DATABASE_LIMITS } from "../schema.ts";

/** Runs `work` with the archive of this content after verifying all of it. */
export async function withArchive<T>(
  content: AsyncIterable<Uint8Array>,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const file = await copy(content);
  try {
    const { archiveSigningKey, trustedArchiveKeys } = platform().settings;
    const archive = await openArchive(`/dev/fd/${file.fd}`, {
      maximumBytes: 2 * DATABASE_LIMITS.maximumBytes,
      trusted: [publicKeyOf(archiveSigningKey), ...trustedArchiveKeys],
    });
    try {
      return await work(archive);
    } finally {
      archive.close();
    }
  } finally {
    await file.close();
  }
}

/** Copies the content to a file without a name. A lost blob store or a full disk is no fault of the archive. */
async function copy(content: AsyncIterable<Uint8Array>): Promise<FileHandle> {
  const file = await createNameless();
  try {
    await file.writeFile(content);
    return file;
  } catch (cause) {
    await file.close();
    if (cause instanceof ApiError) throw cause;
    throw new ComponentLost("The archive could not be copied to the disk of this machine.", {}, cause);
  }
}

/** Creates a temporary file and removes its name, so that its bytes are freed even if the process is killed. */
async function createNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  try {
    return await open(join(folder, "archive.zip"), "wx+");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
