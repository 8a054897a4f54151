import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { looseBlobs } from "#db/schema/blobs.ts";
import { newUuid } from "#server/ids.ts";
import { log } from "#server/log.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import type { ByteRange, StoredBlob } from "#server/providers/blobs/blob-store.ts";
import { BlobStoreUnavailable } from "#server/providers/blobs/unavailable.ts";

/** A failing store is told to the caller as 503, and to the log with its cause. */
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

/** What is being written is swept this long after its process was last heard of, whichever process sweeps. */
const WRITING_SECONDS = 60;
const PROLONG_MS = 15_000;

/**
 * Stores content whose thing is not recorded yet. Whoever records it calls `keepBlob` in that transaction; what is not
 * kept within these minutes, by default a day, is swept, so a crash in between leaves nothing. What
 * `check` refuses is deleted at once.
 */
export async function writeBlob(
  content: AsyncIterable<Uint8Array>,
  minutes = 1440,
  check?: (stored: StoredBlob) => void,
): Promise<StoredBlob> {
  const { blobs, database } = platform();
  const key = newUuid();
  const due = (seconds: number) => sql`clock_timestamp() + ${seconds} * interval '1 second'`;
  const move = (seconds: number) =>
    database.db
      .update(looseBlobs)
      .set({ dueAt: due(seconds) })
      .where(eq(looseBlobs.key, key))
      .returning();
  await database.db.insert(looseBlobs).values({ key, dueAt: due(WRITING_SECONDS) });
  const prolong = setInterval(() => void move(WRITING_SECONDS).catch(() => undefined), PROLONG_MS);
  try {
    const stored = await using(blobs.put(key, content));
    check?.(stored);
    const [loose] = await move(60 * minutes);
    if (!loose)
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
  if (kept.length === 0) throw new Error(`The blob ${key} was not kept within a day of its writing.`);
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
    await database.db.delete(looseBlobs).where(eq(looseBlobs.key, key));
  } catch (error) {
    log.warn("A blob could not be deleted yet.", { key, error });
  }
}

/** The bytes of a blob, or of a part of it. */
export function readBlob(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
  return using(platform().blobs.read(key, range));
}
