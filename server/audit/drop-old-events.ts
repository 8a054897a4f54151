import type { KeyObject } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { idOf } from "#server/base/ids.ts";
import { storeSignedHeads } from "./sign-heads.ts";

const BATCH = 500;

/**
 * Drops the months whose events are all older than `months`, with their usage. Signs the head at each cut before, so
 * that the rest of a chain can still be verified. Returns the dropped partitions.
 */
export async function dropOldEvents(db: Db, key: KeyObject, months: number): Promise<string[]> {
  const old = await db.execute<{ name: string }>(
    sql`select old_partitions('audit_chain', ${months}) as name`,
  );
  for (const { name } of old) {
    const heads = await db.execute<{ account_id: string; sequence: string; hash: Uint8Array }>(
      sql`select * from partition_heads(${name})`,
    );
    const unsigned = heads.map(({ account_id, sequence, hash }) => ({
      accountId: idOf("account", account_id),
      sequence: Number(sequence),
      hash,
    }));
    for (let start = 0; start < unsigned.length; start += BATCH)
      await storeSignedHeads(db, key, unsigned.slice(start, start + BATCH));
    await db.execute(sql`select drop_audit_partition(${name})`);
  }
  await dropOldArchives(db, months);
  return old.map(({ name }) => name);
}

/** Deletes the archives of those months; the sweep deletes their blobs. */
async function dropOldArchives(db: Db, months: number): Promise<void> {
  for (;;) {
    const [row] = await db.execute<{ dropped: number }>(sql`select drop_old_archives(${months}) as dropped`);
    if (!row?.dropped) return;
  }
}
