import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";

/**
 * Makes the triggers of owners that have ended due, so that a worker pauses them. `wakeTriggersOf` does so when keys are
 * revoked, but sees no trigger that is being stored then. Nothing makes one due when its key expires, or its member is
 * removed, if events start its runs: it gets no more events.
 */
export async function wakeEndedTriggers(db: Db): Promise<void> {
  await db.execute(sql`
    update triggers set due_at = trigger_clock() where (account_id, id) in (
      select t.account_id, t.id from triggers t
      where (t.paused_reason is null or t.paused_reason = 'no_credits') and t.claimed_by is null and t.ready_at is null
        and ${notFrozen(sql`t.account_id`)}
        and case t.caller_type
          when 'key' then exists (
            select from api_keys o join api_keys a on a.account_id = o.account_id and a.id = any(o.chain)
            where o.account_id = t.account_id and o.id = t.caller_id
              and (a.revoked_at is not null or key_expiry(a.expires_at, a.last_used_at) <= now()))
          else not exists (select from members m where m.account_id = t.account_id and m.id = t.caller_id) end
      limit 1000 for update skip locked)`);
}
