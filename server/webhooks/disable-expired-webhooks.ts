import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { idOf } from "#server/base/ids.ts";
import { disableWebhook } from "./queries.ts";

/**
 * Disables webhooks whose owner key or one of its ancestors has expired, or was revoked while the webhook was being
 * created; they receive no events any more anyway.
 */
export async function disableExpiredWebhooks(db: Db): Promise<void> {
  const ended = await db.execute<{ account_id: string; id: string; revoked: boolean }>(sql`
    select w.account_id, w.id, bool_or(a.revoked_at is not null) as revoked
    from webhooks w join api_keys o on o.account_id = w.account_id and o.id = w.owner_key_id
      join api_keys a on a.account_id = o.account_id and a.id = any(o.chain)
    where w.status <> 'disabled' and ${notFrozen(sql`w.account_id`)}
      and (a.revoked_at is not null or key_expiry(a.expires_at, a.last_used_at) <= now())
    group by w.account_id, w.id order by w.id limit 1000`);
  for (const { account_id, id, revoked } of ended) {
    const webhook = { accountId: idOf("account", account_id), id: idOf("webhook", id) };
    await db.transaction((tx) => disableWebhook(tx, webhook, revoked ? "key_revoked" : "key_expired"));
  }
}
