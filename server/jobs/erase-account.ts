import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts, closedAccounts } from "#db/schema/accounts.ts";
import { auditPending } from "#db/schema/audit.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { findDatabase } from "#server/databases/queries.ts";
import { removeDatabase } from "#server/databases/remove-database.ts";
import { enqueueErasure } from "#server/members/enqueue-erasure.ts";
import { listUnfinished } from "#server/members/unfinished.ts";

/** The sealer chains events several times a second. */
const CHAINED_AFTER_SECONDS = 5;
const BATCH = 2000;
const NIL = "00000000-0000-0000-0000-000000000000";

/**
 * The tables that keep a deleted account's rows: payments, decisions, and the wallets, whose keys are the only way to
 * the funds that they may still hold. The rows of all other tables are erased.
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
  // `erase_people` has taken the names out of the chain; without `audit_person_keys`, nobody reads those of archives.
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
  "swaps",
  "swap_routes",
  "orders",
  "order_fills",
  "positions",
  "relayer_orders",
  "relayer_sends",
];

/**
 * Erases the rows of a deleted account; later, if a call that was admitted before has begun something. If repeated
 * after a crash, it erases the rest.
 */
export async function eraseAccount(db: Db, accountId: string): Promise<void> {
  const account = toUuid("account", accountId);
  const open = and(eq(closedAccounts.accountId, accountId), isNull(closedAccounts.erasedAt));
  const [closed] = await db.select().from(closedAccounts).where(open);
  if (!closed) return;
  // Its call began before the deletion; nobody is left who could remove it.
  const database = await findDatabase(db, accountId);
  if (database) await removeDatabase(db, database);
  const unfinished = await listUnfinished(db, accountId);
  if (unfinished.length > 0) {
    log.warn(`A deleted account is not erased yet: it has ${unfinished.join(" and ")}.`, { accountId });
    return enqueueErasure(db, accountId);
  }
  // First, so that nobody's calls are recorded any more.
  await db.execute(sql`
    delete from rate_limit_counters where key_id in (select id from api_keys where account_id = ${account})`);
  for (const table of ["oauth_tokens", "api_keys"]) await eraseTable(db, table, account);
  const pending = db.select().from(auditPending).where(eq(auditPending.accountId, accountId)).limit(1);
  if ((await pending).length > 0) return enqueueErasure(db, accountId, CHAINED_AFTER_SECONDS);
  await erasePeople(db, account);
  await db.update(accounts).set({ name: "Deleted account" }).where(eq(accounts.id, accountId));
  // A late change may add rows to a table that was erased before, so the last pass has to find nothing.
  while ((await eraseRows(db, account)) > 0);
  // Once nothing refers to them: the sweep deletes the bytes, and then the record of their size.
  await db.execute(sql`
    insert into loose_blobs (key, due_at) select b.key, clock_timestamp() from blob_bytes b where b.account_id = ${account}
    on conflict (key) do update set due_at = excluded.due_at`);
  await db.update(closedAccounts).set({ erasedAt: sql`now()` }).where(open);
}

/** Has the deleted accounts erased whose job has been given up. */
export async function resumeErasures(db: Db): Promise<void> {
  const isOld = lt(closedAccounts.closedAt, sql`now() - interval '1 day'`);
  const left = await db
    .select()
    .from(closedAccounts)
    .where(and(isNull(closedAccounts.erasedAt), isOld));
  for (const { accountId } of left) await enqueueErasure(db, accountId);
}

/** Takes the names out of the account's audit, batch by batch. */
async function erasePeople(db: Db, account: string): Promise<void> {
  let last: string | null = NIL;
  while (last !== null) {
    const rows: { last: string | null }[] = await db.execute<{ last: string | null }>(
      sql`select erase_people(${account}, ${last}, ${BATCH}) as last`,
    );
    last = defined(rows[0]).last;
  }
}

async function eraseRows(db: Db, account: string): Promise<number> {
  let erased = 0;
  for (const { table } of await erasedTables(db)) erased += await eraseTable(db, table, account);
  return erased;
}

async function eraseTable(db: Db, table: string, account: string): Promise<number> {
  let erased = 0;
  for (let rows = BATCH; rows === BATCH; erased += rows) {
    const deleted = await db.execute(sql`
      delete from ${sql.identifier(table)} where ctid = any (array(
        select ctid from ${sql.identifier(table)} where account_id = ${account} limit ${BATCH})) returning 1`);
    rows = deleted.length;
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
