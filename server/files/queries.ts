import { and, eq, type SQL } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { files } from "#db/schema/files.ts";
import { readBlob } from "#server/blobs/queries.ts";
import { signedDownload } from "#server/downloads/queries.ts";
import { emitEvent } from "#server/events/emit-event.ts";
import { questionOf } from "#server/operation/access.ts";
import type { Bytes } from "#server/operation/bytes.ts";
import type { Caller } from "#server/operation/caller.ts";
import { mayCall } from "#server/operation/explain-access.ts";
import { platform } from "#server/platform.ts";
import type { File } from "./schema.ts";

type Row = typeof files.$inferSelect;

/** Returns a file's row in its public form, without a download address. */
function plainFile(row: Row, endUser: string | null): z.input<typeof File> {
  const { id, name, mediaType, sizeBytes, sha256, purpose, projectId, createdAt } = row;
  return {
    id,
    name,
    mediaType,
    sizeBytes,
    sha256,
    purpose,
    projectId,
    endUser,
    createdAt: createdAt.toISOString(),
    downloadUrl: null,
    downloadUrlExpiresAt: null,
  };
}

/** Returns a file's row in its public form, with a download address for a caller who may read its bytes. */
export function toFile(row: Row, endUser: string | null, reader: Caller | null): z.input<typeof File> {
  const { accountId, id } = row;
  const file = plainFile(row, endUser);
  return reader ? { ...file, ...signedDownload({ kind: "file", accountId, id }, reader) } : file;
}

/** Emits the event of a file that this transaction has created or deleted. Returns the file as in the event. */
export async function emitFile(
  tx: Transaction,
  type: "file.created" | "file.deleted",
  row: Row,
  endUser: string | null,
): Promise<z.input<typeof File>> {
  const { accountId, projectId, endUserId, id: resource } = row;
  const file = plainFile(row, endUser);
  await emitEvent(tx, { type, accountId, projectId, endUserId, resource, data: { file } });
  return file;
}

/** Returns the condition that a key or member may read files, bytes included, now. */
export function mayReadFiles(reader: Pick<Caller, "accountId" | "id">): SQL<boolean> {
  const operation = { id: "files.read", scope: "files:read" } as const;
  return mayCall(reader, questionOf(operation, {}, platform().registrations));
}

/** Returns the bytes of a file for a download. */
export function contentOf({ name, mediaType, sizeBytes, sha256, blobKey }: Row): Bytes {
  return { name, mediaType, sizeBytes, sha256, open: (range) => readBlob(blobKey, range) };
}

/** Returns the bytes of the file with this id, if it still exists and the condition holds. */
export async function fileContent(
  db: Db | Transaction,
  { accountId, id }: { accountId: string; id: string },
  condition: SQL | undefined,
): Promise<Bytes | null> {
  const [row] = await db
    .select()
    .from(files)
    .where(and(eq(files.accountId, accountId), eq(files.id, id), condition));
  return row ? contentOf(row) : null;
}
