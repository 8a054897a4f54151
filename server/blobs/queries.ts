import { and, eq, gt, not, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { looseBlobs } from "#db/schema/blobs.ts";
import { currentTime } from "#server/base/clock.ts";
import { newUuid } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { onceAMinute } from "#server/base/pace.ts";
import { ApiError } from "#server/operation/errors.ts";
import { BlobStoreLost } from "#server/operation/faults.ts";
import { platform } from "#server/platform.ts";
import type { ByteRange, StoredBlob } from "#server/providers/blobs/blob-store.ts";
import { BlobMissing, BlobStoreUnavailable } from "#server/providers/blobs/unavailable.ts";
import { type BlobKind, releaseRoom, reserveRoom } from "./room.ts";

const isDue = onceAMinute();

/** Reports a failing store to the caller as 503, and logs its cause. A repeat does not bring back a missing blob. */
async function using<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof BlobStoreUnavailable)) throw cause;
    if (isDue("use")) log.warn("The blob store failed.", { error: cause });
    if (!(cause instanceof BlobMissing)) throw new BlobStoreLost(cause.message, cause);
    throw new ApiError(
      "service_unavailable",
      cause.message,
      { operationState: "not_started", retryAfterSeconds: 5 },
      { cause },
    );
  }
}

/** A blob to be written. */
export interface NewBlob {
  accountId: string;
  kind: BlobKind;
  /** Its size, if known: the whole size is then reserved at once. */
  sizeBytes?: number;
  /** How long it stays loose before the sweep deletes it. */
  minutes?: number;
  /** Throws to refuse the written blob, which is then deleted at once. */
  check?(stored: StoredBlob): void;
}

/** A blob being written is swept this long after the last sign of its process, whichever process sweeps. */
const WRITING_SECONDS = 60;
const PROLONG_MS = 15_000;
/** The default time between writing a blob and the transaction that keeps it. */
const KEEPING_MINUTES = 60;

/**
 * Stores content within the account's budget, reserving room before it accepts bytes. The transaction that inserts the
 * blob's resource calls `keepBlob`; blobs that are not kept are swept, so a crash leaves nothing.
 */
export async function writeBlob(content: AsyncIterable<Uint8Array>, blob: NewBlob): Promise<StoredBlob> {
  const { blobs, database } = platform();
  const key = newUuid();
  const room = await reserveRoom(database.db, key, blob, WRITING_SECONDS);
  const prolong = setInterval(() => void room.prolong().catch(() => undefined), PROLONG_MS);
  try {
    const stored = await using(blobs.put(key, room.bound(content)));
    blob.check?.(stored);
    if (!(await room.settle(stored.sizeBytes, blob.minutes ?? KEEPING_MINUTES))) throw outlived();
    return stored;
  } catch (reason) {
    await removeBlob(key);
    throw reason;
  } finally {
    clearInterval(prolong);
  }
}

/** Keeps the blob for the resource that this transaction inserts, unless the sweep may delete it already. */
export async function keepBlob(tx: Transaction, { key }: StoredBlob): Promise<void> {
  const isFresh = and(
    eq(looseBlobs.key, key),
    gt(looseBlobs.dueAt, sql`clock_timestamp()`),
    not(looseBlobs.deleting),
  );
  const kept = await tx.delete(looseBlobs).where(isFresh).returning();
  if (kept.length === 0) throw outlived();
}

function outlived(): BlobStoreLost {
  return new BlobStoreLost("The upload outlived an outage of the platform. Send it again.");
}

/**
 * Makes the blob of a resource loose in the transaction that deletes the resource; afterwards `removeBlob` or the sweep
 * deletes it.
 */
export async function dropBlob(tx: Transaction, key: string): Promise<void> {
  await tx.insert(looseBlobs).values({ key, dueAt: currentTime() });
}

/**
 * Runs the work that keeps a written blob, and returns its result. If it fails, the blob is deleted at once unless it was
 * kept all the same, so that a retry finds its room free.
 */
export async function keeping<Result>({ key }: StoredBlob, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (reason) {
    await loosenBlob(key);
    throw reason;
  }
}

/** Deletes a blob if it is loose, when it may be unknown whether its resource was inserted. */
export async function loosenBlob(key: string): Promise<void> {
  try {
    // Waits for a transaction that has kept it; one that keeps it later fails.
    const loose = await platform()
      .database.db.update(looseBlobs)
      .set({ dueAt: sql`clock_timestamp()` })
      .where(eq(looseBlobs.key, key))
      .returning();
    if (loose.length > 0) await removeBlob(key);
  } catch (error) {
    log.warn("A blob waits for its sweep.", { blobKey: key, error });
  }
}

/** Deletes a loose blob at once; if that fails, the sweep does so later. */
export async function removeBlob(key: string): Promise<void> {
  const { blobs, database } = platform();
  try {
    await blobs.delete(key);
    await releaseRoom(database.db, [key]);
  } catch (error) {
    if (isDue("delete")) log.warn("Blobs could not be deleted yet.", { blobKey: key, error });
  }
}

/** Returns the bytes of a blob, or of a part of it. */
export function readBlob(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
  return using(platform().blobs.read(key, range));
}
