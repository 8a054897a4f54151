import type postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { carryJobs, deleteJobs } from "./carry-jobs.ts";
import { movedTables, ownedTables } from "./tables.ts";

/** Selects rows that an account needs from a table without a column for the account. */
type Shared = (sql: postgres.Sql, account: string) => Promise<{ rows: string }[]>;

const SHARED: Record<string, Shared> = {
  // Apps that registered themselves and have access from a person of the account.
  async oauth_clients(sql, account) {
    const grants = await sql<{ client: string }[]>`
      select distinct client_id as client from oauth_grants where account_id = ${account}`;
    const ids = grants.flatMap(({ client }) => uuidOf("app", client) ?? []);
    return sql`
      select coalesce(jsonb_agg(c), '[]')::text as rows from oauth_clients c where c.id = any(${ids}::uuid[])`;
  },
  // The keys that verify the receipts of the other cell.
  receipt_keys: (sql) => sql`select coalesce(jsonb_agg(k), '[]')::text as rows from receipt_keys k`,
  // Running calls have ended, and their leases are not copied.
  rate_limit_counters: (sql, account) => sql`
    select coalesce(jsonb_agg(to_jsonb(r) || '{"active": 0}'), '[]')::text as rows from rate_limit_counters r
    where r.key_id in (select k.id from api_keys k where k.account_id = ${account})`,
  loose_blobs: (sql, account) => sql`
    select coalesce(jsonb_agg(l), '[]')::text as rows from loose_blobs l
    where l.key in (select b.key from blob_bytes b where b.account_id = ${account})`,
};

/** Inserts the rows that are missing. */
export async function insertMissing(
  sql: postgres.Sql | postgres.TransactionSql,
  table: string,
  rows: string,
): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' and not attisdropped`;
  const names = sql(columns.map(({ name }) => name));
  await sql`
    insert into ${sql(table)} (${names})
    select ${names} from jsonb_populate_recordset(null::${sql(table)}, ${rows}::text::jsonb) on conflict do nothing`;
}

/** Advances sequences beyond the numbers that the source's rows have, so that no number is used twice. */
async function advanceSequences(source: postgres.Sql, target: postgres.Sql): Promise<void> {
  for (const { name } of await movedTables(source)) {
    const sequences = await source<{ sequence: string }[]>`
      select pg_get_serial_sequence(${name}, attname) as sequence from pg_attribute
      where attrelid = ${name}::regclass and attidentity <> ''`;
    for (const { sequence } of sequences) {
      const [there] = await source.unsafe<{ last: string }[]>(`select last_value as last from ${sequence}`);
      await target.unsafe(
        `select setval('${sequence}', greatest(last_value, ${defined(there).last})) from ${sequence}`,
      );
    }
  }
}

/**
 * Makes the erasure of requests' details here start where the other cell's has stopped, or at the account's first
 * event.
 */
async function eraseFrom(source: postgres.Sql, target: postgres.Sql, account: string): Promise<void> {
  const [reached] = await source<{ until: string | null }[]>`
    select coalesce((select until from audit_erasure),
      (select hour_of(min(at)) from audit_chain where account_id = ${account}))::text as until`;
  await target`
    update audit_erasure set until = least(until, ${reached?.until ?? null}::text::timestamptz)`;
}

/** Copies a frozen account's data outside its own tables; returns the number of jobs. */
export async function carryOver(
  source: postgres.Sql,
  target: postgres.Sql,
  account: string,
): Promise<number> {
  for (const [table, select] of Object.entries(SHARED)) {
    const [found] = await select(source, account);
    await insertMissing(target, table, defined(found).rows);
  }
  await advanceSequences(source, target);
  await eraseFrom(source, target, account);
  // The search for deposits resumes where it stopped when the account was frozen.
  const [frozen] = await source<{ searched: string }[]>`
    select searched_to::text as searched from frozen_accounts where account_id = ${account}`;
  await target`
    update frozen_accounts set searched_to = ${defined(frozen).searched}::text::jsonb where account_id = ${account}`;
  return carryJobs(source, target, account);
}

/** Creates the other cell's partitions here, so that no old row falls into the default one. */
export async function makePartitions(source: postgres.Sql, target: postgres.Sql): Promise<void> {
  const months = await source<{ month: string }[]>`
    select distinct to_char(to_date(right(relname, 7), 'YYYY_MM'), 'YYYY-MM-DD') as month
    from pg_class where relispartition and relname ~ '_\d{4}_\d\d$'`;
  const starts = months.map(({ month }) => `${month}T00:00:00Z`);
  await target`select create_partitions(${starts}::text[]::timestamptz[])`;
}

/** Deletes all data of an account that has moved to another cell, or whose move to this cell was undone. */
export async function deleteAccount(sql: postgres.Sql, account: string): Promise<void> {
  const inReplica = (work: (tx: postgres.TransactionSql) => Promise<unknown>) =>
    sql.begin(async (tx) => {
      // Bypasses the triggers of the freeze and of the append-only books.
      await tx`set local session_replication_role = replica`;
      await work(tx);
    });
  await inReplica(
    (tx) => tx`
    delete from loose_blobs where key in (select key from blob_bytes where account_id = ${account})`,
  );
  await inReplica(
    (tx) => tx`
    delete from rate_limit_counters where key_id in (select id from api_keys where account_id = ${account})`,
  );
  await deleteJobs(sql, account);
  for (const { name, owner } of await ownedTables(sql))
    await inReplica((tx) => tx`delete from ${tx(name)} where ${tx(owner)} = ${account}`);
}
