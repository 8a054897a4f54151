import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";

const BATCH = 1000;

/**
 * Forgets what ended runs of the tiers `private` and `strict` took and answered, a day after their end, when their
 * creation can't be replayed any more either. Returns how many.
 */
export async function purgePayloads(db: Db): Promise<number> {
  for (let purged = 0; ; ) {
    const rows = await db.execute(sql`
      with due as (
        select account_id, id from runs
        where privacy_tier <> 'standard' and finished_at < now() - interval '24 hours' and (input is not null or result is not null)
        limit ${BATCH} for update skip locked),
      forgotten as (
        update run_steps s set output = null from due where s.account_id = due.account_id and s.run_id = due.id and s.output is not null)
      update runs r set input = null, result = null, name = null from due where r.account_id = due.account_id and r.id = due.id
      returning 1`);
    purged += rows.length;
    if (rows.length < BATCH) return purged;
  }
}

/** Drops journals, timelines and rows of runs that were all created more than so many months ago. */
export async function dropOldRuns(db: Db, months: number): Promise<void> {
  await db.execute(sql`select drop_old_partitions('run_timeline', ${months})`);
  const dropped = await db.execute<{ name: string }>(
    sql`select drop_old_partitions('run_steps', ${months}) as name`,
  );
  for (const { name } of dropped) {
    const after = sql`uuid_floor((to_date(right(${name}, 7), 'YYYY_MM') + interval '1 month') at time zone 'utc')`;
    await db.execute(sql`delete from runs where id < ${after} and finished_at is not null`);
    await db.execute(sql`
      delete from run_tags t where t.run_id < ${after}
        and not exists (select from runs r where r.account_id = t.account_id and r.id = t.run_id)`);
  }
}
