import { sql } from "drizzle-orm";
import { idOf } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { BlobStoreUnavailable } from "#server/providers/blobs/unavailable.ts";
import { type Archiving, writeArchive } from "./write-archive.ts";

/** The longest time by which events around the end of a month are chained in another order than that of their times. */
const BORDER_MS = 3_600_000;

/**
 * Archives the months whose events are all older than `months`, the oldest first, and drops each one whose events are all
 * archived. Returns the dropped partitions. Logs failures; the next call continues there. Several calls may run at the
 * same time: the database records each part of a chain once.
 */
export async function moveOldMonths(archiving: Archiving, months: number): Promise<string[]> {
  const { db } = archiving;
  const old = await db.execute<{ name: string; before: string; ready: boolean }>(sql`
    select name, can_archive_month(name) as ready, (extract(epoch from partition_end(name)) * 1000)::text as before
    from old_partitions('audit_chain', ${months}) as name order by name`);
  const dropped: string[] = [];
  for (const { name, before, ready } of old) {
    if (!ready) break;
    try {
      await archiveMonth(archiving, name, new Date(Number(before) + BORDER_MS));
      const [row] = await db.execute<{ dropped: boolean }>(
        sql`select drop_archived_partition(${name}) as dropped`,
      );
      if (row?.dropped) dropped.push(name);
    } catch (error) {
      log.error("A month of audit events could not be archived; it is tried again.", { month: name, error });
      break;
    }
  }
  return dropped;
}

async function archiveMonth(archiving: Archiving, month: string, before: Date): Promise<void> {
  const heads = await archiving.db.execute<{ account_id: string; sequence: string }>(
    sql`select account_id, sequence from partition_heads(${month})`,
  );
  for (const { account_id: account, sequence } of heads) {
    const accountId = idOf("account", account);
    try {
      let more = true;
      while (more) more = await writeArchive(archiving, { accountId, end: Number(sequence), before });
    } catch (error) {
      if (error instanceof BlobStoreUnavailable) throw error;
      // The month stays, and the other accounts' events are archived.
      log.error("An account's audit events could not be archived.", { accountId, month, error });
    }
  }
}
