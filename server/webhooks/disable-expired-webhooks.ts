import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { idOf } from "#server/base/ids.ts";
import { disableWebhook } from "./queries.ts";

/** Disables webhooks whose owner key or one of its ancestors has expired; they receive no events any more anyway. */
export async function disableExpiredWebhooks(db: Db): Promise<void> {
  const expired = await db.execute<{ account_id: string; id: string }>(sql`
    select w.account_id, w.id from webhooks w join api_keys o on o.account_id = w.account_id and o.id = w.owner_key_id
    where w.status <> 'disabled' and ${notFrozen(sql`w.account_id`)} and exists (
      select from api_keys a where a.account_id = o.account_id and a.id = any(o.chain)
        and key_expiry(a.expires_at, a.last_used_at) <= now())
    order by w.id limit 1000`);
  for (const { account_id, id } of expired) {
    const webhook = { accountId: idOf("account", account_id), id: idOf("webhook", id) };
    await db.transaction((tx) => disableWebhook(tx, webhook, "key_expired"));
  }
}
