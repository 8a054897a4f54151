import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { withSearchPath } from "#db/search-path.ts";
import { applyFunctions } from "./apply-functions.ts";
import { buildIndexes } from "./build-indexes.ts";
import { applyMigrations, concurrentIndexes, latestApplied, readMigrations } from "./migrations.ts";

// An arbitrary number that no other advisory lock of the platform uses.
const migrationLock = 7_305_482_913;

export interface Sources {
  migrations: string;
  functions: string;
}

const ours: Sources = {
  migrations: fileURLToPath(new URL("../../db/migrations", import.meta.url)),
  functions: fileURLToPath(new URL("../../db/functions", import.meta.url)),
};

/** Returns true if a serving process has created the tables of jobs. */
async function hasJobs(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select to_regclass('graphile_worker._private_jobs') is not null as found`;
  return row?.found ?? false;
}

interface MigrateOptions {
  sources?: Sources;
  /**
   * True for a serving process; an operator's command does not replace the functions in `public`, nor build indexes.
   */
  serves?: boolean;
}

/**
 * Brings a database up to date; if several processes start it at once, one of them does the work. Returns the address
 * with which connections find the SQL functions of this release.
 */
export async function migrate(
  url: string,
  { sources = ours, serves = true }: MigrateOptions = {},
): Promise<string> {
  const migrations = readMigrations(sources.migrations);
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await applyMigrations(sql, migrations);
    if (serves || !(await hasJobs(sql))) {
      // Loaded late: the import takes a tenth of the processor time of an operator's command.
      const { migrateJobs } = await import("./migrate-jobs.ts");
      await migrateJobs(url);
    }
    const { searchPath, isNewest } = await sql.begin(async (tx) => {
      // A newer release may have migrated the database, and have dropped indexes of this one.
      const isNewest = (await latestApplied(tx)) <= (migrations.at(-1)?.when ?? 0);
      return { searchPath: await applyFunctions(tx, sources.functions, serves && isNewest), isNewest };
    });
    await sql`select pg_advisory_unlock(${migrationLock})`;
    if (serves && isNewest) await buildIndexes(sql, concurrentIndexes(migrations));
    return withSearchPath(url, searchPath);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
