import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DrizzleQueryError } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { withSearchPath } from "#db/search-path.ts";
import { log } from "../log.ts";
import { applyFunctions } from "./apply-functions.ts";

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

/** A statement waited too long for a lock. */
const LOCK_NOT_AVAILABLE = "55P03";
const MIGRATION_ATTEMPTS = 30;
const AGAIN_MS = 1000;

/**
 * Applies the migrations, all or none. A statement that waits for a table's lock blocks every later statement on that
 * table, so it gives up before calls time out, and is retried.
 */
async function applyMigrations(sql: postgres.Sql, { migrations }: Sources): Promise<void> {
  if (!existsSync(`${migrations}/meta/_journal.json`)) return;
  await sql`set lock_timeout = '2s'`;
  for (let attempt = 1; ; attempt++) {
    try {
      await runMigrations(drizzle(sql), { migrationsFolder: migrations });
      break;
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || attempt === MIGRATION_ATTEMPTS) throw error;
      log.warn("A migration waits for statements that use its tables; it is tried again.", { attempt });
      await sleep(AGAIN_MS);
    }
  }
  await sql`reset lock_timeout`;
}

/** Returns PostgreSQL's code of an error that Drizzle may have wrapped. */
function codeOf(error: unknown): unknown {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return cause instanceof postgres.PostgresError ? cause.code : undefined;
}

/** Returns true if a newer release has migrated the database. */
async function isOutdated(tx: postgres.TransactionSql, { migrations }: Sources): Promise<boolean> {
  const known = readMigrationFiles({ migrationsFolder: migrations }).at(-1)?.folderMillis ?? 0;
  const [latest] = await tx<{ at: number }[]>`
    select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
  return (latest?.at ?? 0) > known;
}

/** Returns true if a serving process has created the tables of jobs. */
async function hasJobs(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select to_regclass('graphile_worker._private_jobs') is not null as found`;
  return row?.found ?? false;
}

interface MigrateOptions {
  sources?: Sources;
  /** True for a serving process; an operator's command does not replace the functions in `public`. */
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
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await sql`create schema if not exists drizzle`;
    await applyMigrations(sql, sources);
    if (serves || !(await hasJobs(sql))) {
      // Loaded late: the import takes a tenth of the processor time of an operator's command.
      const { migrateJobs } = await import("./migrate-jobs.ts");
      await migrateJobs(url);
    }
    return await sql.begin(async (tx) => {
      const isCurrent = serves && !(await isOutdated(tx, sources));
      return withSearchPath(url, await applyFunctions(tx, sources.functions, isCurrent));
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
