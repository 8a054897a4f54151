import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import type { startApi } from "./api.ts";

type Api = Pick<Awaited<ReturnType<typeof startApi>>, "platform">;

/** Has each of the server's connections add its counts to the database's statistics, to which it adds them late otherwise. */
async function flushCounts({ platform }: Api): Promise<void> {
  const { admission, client, db } = platform.database;
  // They sleep, so that each connection of a pool gets one of them.
  const times = Array.from({ length: 8 });
  await Promise.all([
    ...[admission, client].flatMap((pool) =>
      times.map(() => pool`select pg_stat_force_next_flush(), pg_sleep(0.05)`),
    ),
    ...times.map(() =>
      db.transaction((tx) => tx.execute(sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`)),
    ),
  ]);
}

const withoutVacuum = new WeakSet<Api["platform"]>();

/** Ends autovacuum in the database for good: the pages that it reads count as a table's, too. */
async function endAutovacuum({ platform }: Api): Promise<void> {
  if (withoutVacuum.has(platform)) return;
  withoutVacuum.add(platform);
  // A table that is being vacuumed is waited for, longer than a call may take.
  const patient = postgres(platform.database.url, { max: 1 });
  const tables = await patient<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  for (const { name } of tables)
    await patient`alter table ${patient(name)} set (autovacuum_enabled = off, toast.autovacuum_enabled = off)`;
  // A worker that goes on with a catalogue adds the pages of an earlier table at its end.
  const isVacuumed = async () =>
    (
      await patient`select from pg_stat_activity where backend_type = 'autovacuum worker' and datname = current_database()`
    ).length > 0;
  while (await isVacuumed()) await sleep(100);
  await patient.end();
}

async function countPages(api: Api): Promise<number> {
  await flushCounts(api);
  const [row] = await api.platform.database.client<{ pages: string }[]>`
    select sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0)
      + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0) + coalesce(tidx_blks_read, 0) + coalesce(tidx_blks_hit, 0)) as pages
    from pg_statio_user_tables`;
  return Number(row?.pages);
}

/**
 * Returns how many pages of the platform's tables and indexes the server reads for the calls of a function; no other calls may
 * be made meanwhile. Unlike its duration, the number does not depend on the machine's other load.
 */
export async function pagesRead(api: Api, makeCalls: () => Promise<unknown>): Promise<number> {
  const [pages] = await pagesOfEach(api, [makeCalls]);
  return defined(pages);
}

/** Returns the pages that each of these functions reads, called one after the other. */
export async function pagesOfEach(
  api: Api,
  functions: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  await endAutovacuum(api);
  const counts = [await countPages(api)];
  for (const makeCalls of functions) {
    await makeCalls();
    counts.push(await countPages(api));
  }
  return counts.slice(1).map((count, nth) => count - defined(counts[nth]));
}
