import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";

const BATCH = 1000;

/**
 * Deletes the inputs and results of runs of the tiers `private` and `strict` a day after their end, when their creation
 * cannot be replayed any more either. Returns their number.
 */
export async function purgePayloads(db: Db): Promise<number> {
  for (let purged = 0; ; ) {
    const [row] = await db.execute<{ purged: number }>(
      sql`select purge_runs(now() - interval '24 hours', ${BATCH}) as purged`,
    );
    const { purged: last } = defined(row);
    purged += last;
    if (last < BATCH) return purged;
  }
}

/**
 * Drops the journals, timelines and rows of ended runs, month by month, once those of a month are all older than this many
 * months; a month with a run that has not ended stays.
 */
export async function dropOldRuns(db: Db, months: number): Promise<void> {
  const timelines = sql`array(select old_run_partitions('run_timeline', ${months}))`;
  await db.execute(sql`select drop_partitions(${timelines})`);
  await db.transaction(async (tx) => {
    const old = await tx.execute<{ name: string }>(
      sql`select old_run_partitions('run_steps', ${months}) as name order by name`,
    );
    for (const { name } of old) {
      const after = sql`uuid_floor((to_date(right(${name}, 7), 'YYYY_MM') + interval '1 month') at time zone 'utc')`;
      await tx.execute(sql`select drop_runs(${after})`);
      await tx.execute(sql`
        delete from run_tags t where t.run_id < ${after}
          and not exists (select from runs r where r.account_id = t.account_id and r.id = t.run_id)`);
    }
    const names = sql.join(
      old.map(({ name }) => sql`${name}`),
      sql`, `,
    );
    if (old.length > 0) await tx.execute(sql`select drop_partitions(array[${names}])`);
  });
}
