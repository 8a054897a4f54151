import type { KeyObject } from "node:crypto";
import { asc } from "drizzle-orm";
import postgres from "postgres";
import { type Database, openDatabase } from "#db/client.ts";
import { auditHeads } from "#db/schema/audit.ts";
import { exportAudit } from "../../audit/export-audit.ts";
import { verifyExport } from "../../audit/verify-export.ts";
import { messageOf } from "../../base/thrown.ts";
import { ApiError } from "../../operation/errors.ts";
import type { BlobStore } from "../../providers/blobs/blob-store.ts";

/** The findings about a restored installation. */
export interface Findings {
  transactions: number;
  events: number;
  accounts: number;
  faults: string[];
}

/**
 * Checks that the books sum to zero and match their entries, that audit chains are complete, and that databases exist.
 */
export async function verifyRestored(
  url: string,
  tenantsUrl: string | null,
  key: KeyObject,
  blobs: BlobStore | null,
): Promise<Findings> {
  const database = openDatabase(url, { handlers: 1, deadline: null });
  try {
    const ledger = await checkLedger(database);
    const audit = await checkAudit(database, key, blobs);
    const missing = tenantsUrl === null ? [] : await findMissingDatabases(database, tenantsUrl);
    return {
      transactions: ledger.transactions,
      events: audit.events,
      accounts: audit.accounts,
      faults: [...ledger.faults, ...audit.faults, ...missing],
    };
  } finally {
    await database.close();
  }
}

async function checkLedger({ client }: Database) {
  const unbalanced = await client<{ id: string }[]>`
    select account_id::text as id from ledger_entries group by account_id, transaction_id having sum(amount) <> 0`;
  const drifted = await client<{ id: string; book: string }[]>`
    select a.account_id::text as id, a.book from ledger_accounts a
    left join (select account_id, book, sum(amount) as posted from ledger_entries group by 1, 2) e using (account_id, book)
    where a.posted <> coalesce(e.posted, 0)`;
  const [row] = await client<{ transactions: number; total: string }[]>`
    select (select count(*)::int from ledger_transactions) as transactions, coalesce(sum(posted), 0)::text as total
    from ledger_accounts`;
  return {
    transactions: row?.transactions ?? 0,
    faults: [
      ...unbalanced.map(({ id }) => `A transaction of account ${id} does not sum to zero.`),
      ...drifted.map(({ id, book }) => `The book ${book} of account ${id} is not the sum of its entries.`),
      ...(row?.total === "0" ? [] : [`All books sum to ${row?.total}, not to zero.`]),
    ],
  };
}

async function checkAudit(database: Database, key: KeyObject, blobs: BlobStore | null) {
  const heads = await database.db.select().from(auditHeads).orderBy(asc(auditHeads.accountId));
  const faults: string[] = [];
  let events = 0;
  for (const { accountId, archivedSequence, droppedSequence } of heads) {
    // Files in a bucket are not restored, and can't be reached from here.
    if (!blobs && archivedSequence > droppedSequence) continue;
    async function* lines() {
      for await (const line of exportAudit(database, key, { accountId, from: null, to: null }, { blobs }))
        yield JSON.stringify(line);
    }
    try {
      events += (await verifyExport(lines())).events;
    } catch (error) {
      // An account whose events were all dropped has nothing to verify.
      if (error instanceof ApiError) continue;
      faults.push(`The audit chain of ${accountId} is broken: ${messageOf(error)}`);
    }
  }
  return { events, accounts: heads.length, faults };
}

async function findMissingDatabases({ client }: Database, tenantsUrl: string): Promise<string[]> {
  const wanted = await client<{ name: string; id: string }[]>`
    select name, account_id::text as id from tenant_databases where cluster = 'embedded' and status = 'ready'`;
  const sql = postgres(tenantsUrl, { max: 1, onnotice: () => undefined });
  try {
    const found = new Set((await sql`select datname from pg_database`).map(({ datname }) => datname));
    return wanted
      .filter(({ name }) => !found.has(name))
      .map(({ id, name }) => `The database ${name} of account ${id} is not there.`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Uses up the transaction ids of accounts' databases that the platform knows but their cluster does not, because they
 * were not restored. Otherwise the platform would take the outcome of another transaction for theirs.
 */
export async function endUnknownTransactions(url: string, tenantsUrl: string): Promise<void> {
  const platform = postgres(url, { max: 1, onnotice: () => undefined });
  const tenants = postgres(tenantsUrl, { max: 1, onnotice: () => undefined });
  try {
    const [known] = await platform<{ last: string | null }[]>`
      select max(id::xid8)::text as last from (
        select transaction_id as id from database_commits union all select transaction_id from database_transfers
      ) as ids where id is not null`;
    if (!known?.last) return;
    await tenants.unsafe(`do $$ begin
      while pg_snapshot_xmax(pg_current_snapshot()) <= '${BigInt(known.last)}'::xid8 loop
        perform pg_current_xact_id();
        rollback;
      end loop;
    end $$`);
  } finally {
    await Promise.all([platform.end({ timeout: 5 }), tenants.end({ timeout: 5 })]);
  }
}
