import { sql } from "drizzle-orm";
import { eraseRequestDetails } from "#server/audit/erase-request-details.ts";
import { sealBatch } from "#server/audit/seal-events.ts";
import { idOf, timeOf, toUuid, uuidOf } from "#server/base/ids.ts";
import type { startApi } from "./api.ts";

const DAY_MS = 86_400_000;

/** Returns the UUID with a time so many days earlier. */
function earlier(uuid: string, days: number): string {
  const time = (timeOf(uuid).getTime() - days * DAY_MS).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${uuid.slice(13)}`;
}

/**
 * Makes the accounts' unchained events so many days older, because the database sets their times, and prepares the
 * database for archiving old months: events chained and partitioned, addresses of old requests removed.
 */
export async function movePendingEvents(
  api: Awaited<ReturnType<typeof startApi>>,
  accountIds: readonly string[],
  days: number,
): Promise<void> {
  const { db, client } = api.platform.database;
  for (const accountId of accountIds) {
    const account = uuidOf("account", accountId);
    const pending = await client`select id, request_id from audit_pending where account_id = ${account}`;
    for (const { id, request_id: requestId } of pending)
      await client`
        update audit_pending set at = at - make_interval(days => ${days}), id = ${earlier(id, days)},
          request_id = ${idOf("request", earlier(toUuid("request", requestId), days))}
        where account_id = ${account} and id = ${id}`;
  }
  await sealBatch(client);
  await db.execute(sql`select ensure_partitions()`);
  // These events can be older than those whose details have been erased.
  await db.execute(sql`delete from audit_erasure`);
  await eraseRequestDetails(db);
}
