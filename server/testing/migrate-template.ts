import { connect } from "#db/connect.ts";
import { migrate } from "#server/boot/migrate.ts";
import { migrateJobs } from "#server/boot/migrations/migrate-jobs.ts";

/** Migrates a database from which others are copied, and does what the first start of a platform would do in each copy. */
export async function migrateTemplate(url: string): Promise<void> {
  await migrate(url);
  await migrateJobs(url);
  const sql = connect(url, { max: 1 });
  await sql`select ensure_partitions()`;
  await sql.end();
}
