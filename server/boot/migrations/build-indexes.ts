import type postgres from "postgres";
import { connectSession } from "#db/connect.ts";
import {
  type ConcurrentIndex,
  type Migration,
  missingIndexes,
  readMigrations,
  withoutBuilt,
} from "#db/migration-files.ts";
import { backoffMs } from "../../base/backoff.ts";
import { defined } from "../../base/defined.ts";
import { log } from "../../base/log.ts";
import { createPace } from "../../base/pace.ts";
import { OUR_SOURCES } from "../migrate.ts";
import { INDEX_LOCK, MIGRATION_LOCK, nameSession, readHolder, watchHolder } from "./lock-holder.ts";
import { createIndex } from "./migrations.ts";

const AGAIN_MS = 1000;
/** A build that fails reads its whole table each time. */
const SLOWEST_AGAIN_MS = 5 * 60_000;
const LOOK_MS = 1000;

/** Builds an index on a table without partitions; replaces the unfinished index of an interrupted build. */
async function buildOn(sql: postgres.Sql, index: ConcurrentIndex, table: string): Promise<void> {
  await sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS "${index.name}"`);
  await sql.unsafe(createIndex(index, "CONCURRENTLY", `"${table}"`));
}

/** Executes a statement that takes a lock for a moment; gives up before calls that wait behind it time out. */
const executeBriefly = (sql: postgres.Sql, statement: string) =>
  sql.begin(async (tx) => {
    await tx`set local lock_timeout = '2s'`;
    await tx.unsafe(statement);
  });

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
    if (attached === null && (await withoutBuilt(sql, [{ ...own, table: partition }])).length > 0)
      await buildOn(sql, own, partition);
    // Also one that is attached: if the last of the others was dropped, this makes the whole valid.
    await executeBriefly(sql, `ALTER INDEX "${name}" ATTACH PARTITION ${attached ?? `"${own.name}"`}`);
  }
}

async function build(sql: postgres.Sql, index: ConcurrentIndex): Promise<void> {
  const [table] = await sql`
    select relkind = 'p' as "hasPartitions" from pg_class where oid = to_regclass(quote_ident(${index.table}))`;
  if (table?.hasPartitions) await buildOnPartitions(sql, index);
  else await buildOn(sql, index, index.table);
}

/**
 * Prepares a session to build: nothing bounds it, and no index depends on functions in the schema of this release, which
 * later releases drop. If its process vanishes with its machine, the session ends, and with it the lock.
 */
async function prepare(sql: postgres.Sql): Promise<void> {
  await nameSession(sql, "build-indexes");
  await sql`
    select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
      set_config('idle_session_timeout', '60s', false),
      set_config('search_path', regexp_replace(current_setting('search_path'), '^"?fn_\\w+"?, ', ''), false)`;
}

/**
 * Builds one of the missing indexes if no other process builds or migrates; returns false if it has to wait. Both locks
 * are only tried: a build waits for every statement that began before it, also for one that waits for a lock.
 */
async function buildOne(
  sql: postgres.Sql,
  migrations: readonly Migration[],
  failures: number,
): Promise<boolean> {
  // The migration may need the table.
  if (await readHolder(sql, MIGRATION_LOCK)) return false;
  const [lock] = await sql`select pg_try_advisory_lock(${INDEX_LOCK}) as taken`;
  if (!lock?.taken) return false;
  try {
    await prepare(sql);
    const missing = await missingIndexes(sql, migrations);
    // One that can't be built does not keep the others from being built.
    const index = missing[failures % missing.length];
    if (!index) return true;
    log.info("An index is being built; until it is there, the queries that need it are slow.", {
      index: index.name,
    });
    await build(sql, index);
    log.info("An index is built.", { index: index.name });
    return true;
  } finally {
    await sql`select pg_advisory_unlock_all()`;
  }
}

/** Watches a build, in this process or another one, and logs for whom it waits. */
function watchBuilds(url: string) {
  const pace = createPace();
  return watchHolder(url, {
    lock: INDEX_LOCK,
    everyMs: LOOK_MS,
    onBlocked([oldest]) {
      if (pace(String(oldest.pid)))
        log.warn("The build of an index waits for an older transaction; end it if it is forgotten.", {
          ...oldest,
        });
    },
  });
}

/**
 * Builds the indexes of this release that are missing, while calls continue. Any number of processes may do so on one
 * database: one of them builds at a time, and another one continues when it is gone.
 */
export function startIndexBuilds(url: string, folder = OUR_SOURCES.migrations) {
  const migrations = readMigrations(folder);
  const sql = connectSession(url);
  const pace = createPace();
  let stopping = false;
  let woken = Promise.withResolvers<void>();

  async function pause(ms: number) {
    woken = Promise.withResolvers();
    const timer = setTimeout(woken.resolve, ms);
    if (!stopping) await woken.promise;
    clearTimeout(timer);
  }

  async function run(): Promise<void> {
    let watch: ReturnType<typeof watchBuilds> | undefined;
    let failures = 0;
    while (!stopping) {
      try {
        if ((await missingIndexes(sql, migrations)).length === 0) break;
        watch ??= watchBuilds(url);
        if (await buildOne(sql, migrations, failures)) failures = 0;
        else await pause(AGAIN_MS);
      } catch (error) {
        if (!stopping && pace("failed"))
          log.warn("An index could not be built; it is tried again.", { error });
        await pause(backoffMs(failures++, AGAIN_MS, SLOWEST_AGAIN_MS));
      }
    }
    await watch?.stop();
    await sql.end({ timeout: 5 });
  }

  const running = run();
  return {
    /** Resolves when no index is missing, or after the stop. */
    done: running,
    async stop() {
      stopping = true;
      woken.resolve();
      // Only the connection ends: PostgreSQL completes the index that it is building.
      await sql.end({ timeout: 0 });
      await running;
    },
  };
}
