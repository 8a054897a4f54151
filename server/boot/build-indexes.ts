import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { defined } from "../defined.ts";
import { log } from "../log.ts";
import { type ConcurrentIndex, createIndex } from "./migrations.ts";
import { retryLocked } from "./retry-locked.ts";

// An arbitrary number that no other advisory lock of the platform uses.
const BUILD_LOCK = 7_305_482_917;
const AGAIN_MS = 250;

/** Returns the indexes that are not completely built, of the tables that exist. */
async function missing(sql: postgres.Sql, indexes: readonly ConcurrentIndex[]): Promise<ConcurrentIndex[]> {
  if (indexes.length === 0) return [];
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${indexes.map(({ name }) => name)}::text[], ${indexes.map(({ table }) => table)}::text[]) as i (name, of_table)
    where to_regclass(quote_ident(of_table)) is not null
      and not exists (select from pg_index where indexrelid = to_regclass(quote_ident(name)) and indisvalid)`;
  const names = new Set(rows.map(({ name }) => name));
  return indexes.filter(({ name }) => names.has(name));
}

/** Builds an index on a table without partitions; replaces what a build that was cut short has left of it. */
async function buildOn(sql: postgres.Sql, index: ConcurrentIndex, table: string): Promise<void> {
  await retryLocked(async () => {
    await sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS "${index.name}"`);
    await sql.unsafe(createIndex(index, "CONCURRENTLY", `"${table}"`));
  });
}

/** Executes a statement that takes a lock for a moment; gives up before calls that wait behind it time out. */
const executeBriefly = (sql: postgres.Sql, statement: string) =>
  retryLocked(() =>
    sql.begin(async (tx) => {
      await tx`set local lock_timeout = '2s'`;
      await tx.unsafe(statement);
    }),
  );

/**
 * Builds an index on each partition and attaches it to the table's, which becomes valid with the last one. A partition
 * that is added meanwhile has the index from its beginning.
 */
async function buildOnPartitions(sql: postgres.Sql, index: ConcurrentIndex): Promise<void> {
  const { name, table } = index;
  const [whole] = await sql`select to_regclass(quote_ident(${name})) is not null as exists`;
  if (!defined(whole).exists) await executeBriefly(sql, createIndex(index, "", `ONLY "${table}"`));
  const partitions = await sql<{ partition: string; attached: string | null }[]>`
    select c.relname as partition, (
      select a.inhrelid::regclass::text from pg_inherits a join pg_index o on o.indexrelid = a.inhrelid
      where a.inhparent = to_regclass(quote_ident(${name})) and o.indrelid = c.oid) as attached
    from pg_inherits p join pg_class c on c.oid = p.inhrelid
    where p.inhparent = to_regclass(quote_ident(${table})) order by 1`;
  for (const { partition, attached } of partitions) {
    const own = { ...index, name: `${name}_${partition.replace(`${table}_`, "")}` };
    if (attached === null && (await missing(sql, [{ ...own, table: partition }])).length > 0)
      await buildOn(sql, own, partition);
    // Also one that is attached: if the last of the others was dropped, this makes the whole valid.
    await executeBriefly(sql, `ALTER INDEX "${name}" ATTACH PARTITION ${attached ?? `"${own.name}"`}`);
  }
}

async function build(sql: postgres.Sql, index: ConcurrentIndex): Promise<void> {
  log.info(`The index ${index.name} is built, while calls continue.`);
  const [table] = await sql`
    select relkind = 'p' as "hasPartitions" from pg_class where oid = to_regclass(quote_ident(${index.table}))`;
  if (table?.hasPartitions) await buildOnPartitions(sql, index);
  else await buildOn(sql, index, index.table);
}

/**
 * Builds the missing indexes, one process at a time; returns when all are there. A build waits for every transaction
 * that began before it. So the lock is only tried, since a statement that waited for it would never end; and it is not
 * the migrations' lock, for which processes of earlier releases wait.
 */
export async function buildIndexes(sql: postgres.Sql, indexes: readonly ConcurrentIndex[]): Promise<void> {
  while ((await missing(sql, indexes)).length > 0) {
    const [lock] = await sql`select pg_try_advisory_lock(${BUILD_LOCK}) as taken`;
    if (!lock?.taken) {
      await sleep(AGAIN_MS);
      continue;
    }
    try {
      await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`;
      for (const index of await missing(sql, indexes)) await build(sql, index);
    } finally {
      await sql`select pg_advisory_unlock(${BUILD_LOCK})`;
    }
  }
}
