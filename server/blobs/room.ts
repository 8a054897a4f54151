import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { looseBlobs } from "#db/schema/blobs.ts";
import { uuidOf } from "#server/base/ids.ts";
import { platform } from "#server/platform.ts";
import { quotaExceeded } from "#server/storage/queries.ts";
import type { StoredKind } from "#server/storage/schema.ts";

/** The kinds of blobs, each with a budget of its own. */
export type BlobKind = Extract<StoredKind, "files" | "artifacts" | "transfers" | "results">;

/** The bytes that are reserved at a time for content of unknown size. */
const STEP_BYTES = 4 * 1_048_576;

interface Granted extends Record<string, unknown> {
  granted: string;
  used: string;
}

/** Reserves room for a blob in its account's budget, before any of it is written. */
export async function reserveRoom(
  db: Db,
  key: string,
  { accountId, kind, sizeBytes }: { accountId: string; kind: BlobKind; sizeBytes?: number },
  seconds: number,
) {
  const budget = platform().settings.storage[`${kind}Bytes`];
  let reserved = 0;

  /** Reserves `bytes` more, or at least `least`. */
  async function take(bytes: number, least: number): Promise<void> {
    const [row] = await db.execute<Granted>(sql`select granted::text, used::text from reserve_bytes(
      ${uuidOf("account", accountId)}, ${kind}, ${key}, ${bytes}, ${least}, ${budget}, ${seconds})`);
    const granted = Number(row?.granted);
    if (granted < 0) throw quotaExceeded(kind, Number(row?.used) - reserved, reserved + least);
    reserved += granted;
  }

  await take(sizeBytes ?? 0, sizeBytes ?? 0);

  return {
    /** Yields the content; throws when the budget has no more room. */
    async *bound(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let written = 0;
      for await (const chunk of content) {
        written += chunk.byteLength;
        const missing = written - reserved;
        if (missing > 0) await take(Math.max(missing, STEP_BYTES), missing);
        yield chunk;
      }
    },
    /** Postpones the sweep of a blob that is still being written; one that arrives late shortens no settled blob's time. */
    prolong: () =>
      db
        .update(looseBlobs)
        .set({
          dueAt: sql`greatest(${looseBlobs.dueAt}, clock_timestamp() + ${seconds} * interval '1 second')`,
        })
        .where(eq(looseBlobs.key, key)),
    /** Records the size of the written blob and frees the rest of its reservation; false if it was swept meanwhile. */
    async settle(bytes: number, minutes: number): Promise<boolean> {
      const [row] = await db.execute<{ settled: boolean }>(
        sql`select settle_bytes(${key}, ${bytes}, ${60 * minutes}) as settled`,
      );
      return row?.settled === true;
    },
  };
}

/** Releases the room of deleted blobs. */
export async function releaseRoom(db: Db, keys: readonly string[]): Promise<void> {
  await db.execute(sql`select release_bytes(${`{${keys.join(",")}}`}::uuid[])`);
}
