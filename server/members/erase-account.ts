import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { closedAccounts } from "#db/schema/accounts.ts";
import { toUuid } from "#server/ids.ts";

const BATCH = 2000;

/**
 * The tables that keep a deleted account's rows: what was paid and by whom it was decided, and the wallets, whose keys
 * are the only way to what they may still hold. Whatever is in no table of this list is erased.
 */
export const KEPT_TABLES: readonly string[] = [
  "accounts",
  "closed_accounts",
  "frozen_accounts",
  // The sweep of blobs ends these once the bytes are gone.
  "blob_bytes",
  "storage_usage",
  "ledger_accounts",
  "ledger_transactions",
  "ledger_entries",
  "payments",
  // Without `audit_person_keys`, nobody can read the personal data in them.
  "audit_archives",
  "audit_chain",
  "audit_heads",
  "audit_pending",
  "audit_signed_heads",
  "usage_hours",
  "usage_status_hours",
  "wallets",
  "wallet_nonces",
  "wallet_transactions",
  "transaction_attempts",
  "signatures",
  "swaps",
  "swap_routes",
  "orders",
  "order_fills",
  "positions",
  "relayer_orders",
  "relayer_sends",
];

/** Erases what a deleted account has stored. If repeated after a crash, it erases what is left. */
export async function eraseAccount(db: Db, accountId: string): Promise<void> {
  const account = toUuid("account", accountId);
  const open = and(eq(closedAccounts.accountId, accountId), isNull(closedAccounts.erasedAt));
  const [closed] = await db.select().from(closedAccounts).where(open);
  if (!closed) return;
  // The sweep of blobs deletes the bytes, and then the record of their size.
  await db.execute(sql`
    insert into loose_blobs (key, due_at) select b.key, clock_timestamp() from blob_bytes b where b.account_id = ${account}
    on conflict (key) do update set due_at = excluded.due_at`);
  await db.execute(sql`
    delete from rate_limit_counters where key_id in (select id from api_keys where account_id = ${account})`);
  // A late change may add rows to a table that was erased before, so the last pass has to find nothing.
  while ((await eraseRows(db, account)) > 0);
  await db.update(closedAccounts).set({ erasedAt: sql`now()` }).where(open);
}

async function eraseRows(db: Db, account: string): Promise<number> {
  let erased = 0;
  for (const { table } of await erasedTables(db)) {
    for (let rows = BATCH; rows === BATCH; erased += rows) {
      const deleted = await db.execute(sql`
        delete from ${sql.identifier(table)} where ctid = any (array(
          select ctid from ${sql.identifier(table)} where account_id = ${account} limit ${BATCH})) returning 1`);
      rows = deleted.length;
    }
  }
  return erased;
}

/** Returns every table or partition with rows of accounts that are not kept, from the catalogue. */
function erasedTables(db: Db) {
  return db.execute<{ table: string }>(sql`
    select c.relname as table
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
      left join pg_inherits i on i.inhrelid = c.oid
      join pg_class root on root.oid = coalesce(i.inhparent, c.oid)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and root.relname <> all (string_to_array(${KEPT_TABLES.join(",")}, ','))
    order by c.relname`);
}
