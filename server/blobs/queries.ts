import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { looseBlobs } from "#db/schema/blobs.ts";
import { newUuid } from "#server/ids.ts";
import { log } from "#server/log.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { ByteRange, StoredBlob } from "#server/providers/blobs/blob-store.ts";
import { BlobStoreUnavailable } from "#server/providers/blobs/unavailable.ts";
import { type BlobKind, releaseRoom, reserveRoom } from "./room.ts";

/** Reports a failing store to the caller as 503, and logs its cause. */
async function using<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof BlobStoreUnavailable)) throw cause;
    log.warn("The blob store failed.", { error: cause });
    throw new ApiError(
      "service_unavailable",
      cause.message,
      { operationState: "not_started", retryAfterSeconds: 5 },
      { cause },
    );
  }
}

/** What a blob is counted as, and what is known of it before it is written. */
export interface NewBlob {
  accountId: string;
  kind: BlobKind;
  /** Where it is known: then all of it is reserved at once. */
  sizeBytes?: number;
  /** How long it lasts unless it is kept. */
  minutes?: number;
  /** What it refuses is deleted at once. */
  check?(stored: StoredBlob): void;
}

/** What is being written is swept this long after the last sign of its process, whichever process sweeps. */
const WRITING_SECONDS = 60;
const PROLONG_MS = 15_000;
/** From its writing to the transaction that keeps it. */
const KEEPING_MINUTES = 60;

/**
 * Stores content whose thing is not recorded yet, within the account's budget, which is reserved before bytes are taken.
 * The transaction that records the thing calls `keepBlob`; what is not kept is swept, so a crash leaves nothing.
 */
export async function writeBlob(content: AsyncIterable<Uint8Array>, blob: NewBlob): Promise<StoredBlob> {
  const { blobs, database } = platform();
  const key = newUuid();
  const room = await reserveRoom(database.db, key, blob, WRITING_SECONDS);
  const prolong = setInterval(() => void room.prolong().catch(() => undefined), PROLONG_MS);
  try {
    const stored = await using(blobs.put(key, room.bound(content)));
    blob.check?.(stored);
    if (!(await room.settle(stored.sizeBytes, blob.minutes ?? KEEPING_MINUTES)))
      throw new ApiError(
        "service_unavailable",
        "The upload outlived an outage of the platform. Send it again.",
        {
          operationState: "not_started",
          retryAfterSeconds: 5,
        },
      );
    return stored;
  } catch (reason) {
    await removeBlob(key);
    throw reason;
  } finally {
    clearInterval(prolong);
  }
}

/** Ties the blob to the thing that this transaction records. */
export async function keepBlob(tx: Transaction, { key }: StoredBlob): Promise<void> {
  const kept = await tx.delete(looseBlobs).where(eq(looseBlobs.key, key)).returning();
  if (kept.length === 0) throw new Error(`The blob ${key} was not kept in time.`);
}

/** Lets go of the blob of a thing that this transaction deletes; afterwards `removeBlob` or the sweep deletes it. */
export async function dropBlob(tx: Transaction, key: string): Promise<void> {
  await tx.insert(looseBlobs).values({ key, dueAt: new Date() });
}

/** Hands a blob to the sweep, if it is still loose: where its thing may have been recorded after all. */
export async function loosenBlob(key: string): Promise<void> {
  await platform()
    .database.db.update(looseBlobs)
    .set({ dueAt: new Date() })
    .where(eq(looseBlobs.key, key))
    .catch((error) => log.warn("A blob waits for its sweep.", { key, error }));
}

/** Deletes a loose blob at once; where that fails, the sweep does it later. */
export async function removeBlob(key: string): Promise<void> {
  const { blobs, database } = platform();
  try {
    await blobs.delete(key);
    await releaseRoom(database.db, [key]);
  } catch (error) {
    log.warn("A blob could not be deleted yet.", { key, error });
  }
}

/** The bytes of a blob, or of a part of it. */
export function readBlob(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
  return using(platform().blobs.read(key, range));
}
