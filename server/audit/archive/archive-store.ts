import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { auditArchives } from "#db/schema/audit.ts";
import type { BlobStore } from "#server/providers/blobs/blob-store.ts";
import { BlobMissing } from "#server/providers/blobs/unavailable.ts";
import type { ArchivedLine } from "./archived-line.ts";

/** The columns of `audit_archives` that reading the blob needs. */
export type Archive = Omit<typeof auditArchives.$inferSelect, "facets" | "requests">;

/** More than the unpacked size of any archive. */
const MAX_BYTES = 256 * 1024 * 1024;

/** An archive whose blob is missing or differs from the written one; only the operator can repair it. */
export class ArchiveDamaged extends Error {
  readonly fault: "is missing from" | "was changed in";

  constructor(
    { accountId, blobKey, firstSequence, lastSequence }: Archive,
    fault: ArchiveDamaged["fault"],
    options?: ErrorOptions,
  ) {
    super(
      `The archive ${blobKey} of ${accountId}'s audit events ${firstSequence} to ${lastSequence} ${fault} the blob store.`,
      options,
    );
    this.name = "ArchiveDamaged";
    this.fault = fault;
  }
}

export async function pack(lines: readonly string[]): Promise<Buffer> {
  return promisify(gzip)(lines.map((line) => `${line}\n`).join(""));
}

/** Returns the lines of an archive, after checking its bytes against the row's digest. */
export async function readArchive(blobs: BlobStore, archive: Archive): Promise<string[]> {
  const bytes = await readBytes(blobs, archive);
  if (!createHash("sha256").update(bytes).digest().equals(archive.sha256))
    throw new ArchiveDamaged(archive, "was changed in");
  const text = await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES });
  return text.toString().split("\n").slice(0, -1);
}

async function readBytes(blobs: BlobStore, archive: Archive): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of await blobs.read(archive.blobKey)) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > archive.sizeBytes) throw new ArchiveDamaged(archive, "was changed in");
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof BlobMissing ? new ArchiveDamaged(archive, "is missing from", { cause }) : cause;
  }
  return Buffer.concat(chunks);
}

/** Returns the events of an archive, in the order of their chain. */
export async function readArchivedEvents(blobs: BlobStore, archive: Archive): Promise<ArchivedLine[]> {
  const lines = await readArchive(blobs, archive);
  return lines
    .filter((line) => line.startsWith('{"type":"event"'))
    .map((line): ArchivedLine => JSON.parse(line));
}
