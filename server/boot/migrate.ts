import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { latestApplied, type Migration, readMigrations } from "#db/migration-files.ts";
import { withSearchPath } from "#db/search-path.ts";
import { log } from "../base/log.ts";
import { createPace } from "../base/pace.ts";
import { DatabaseUnusable } from "./await-database.ts";
import { applyFunctions } from "./migrations/apply-functions.ts";
import {
  cancelHolder,
  INDEX_LOCK,
  MIGRATION_LOCK,
  nameSession,
  readHolder,
  watchHolder,
} from "./migrations/lock-holder.ts";
import { applyMigrations, pendingMigrations } from "./migrations/migrations.ts";

/** How long a start waits for another process that migrates: less than its probe allows, so that it can say why. */
const WAIT_MS = 2 * 60_000;
const AGAIN_MS = 100;
/** Several starts at once are usual, and each takes its turn within this time. */
const SILENT_MS = 1000;
/** Several looks within the time that a statement waits for a table. */
const LOOK_MS = 400;

export interface Sources {
  migrations: string;
  functions: string;
}

/** The migrations and functions of this release. */
export const OUR_SOURCES: Sources = {
  migrations: fileURLToPath(new URL("../../db/migrations", import.meta.url)),
  functions: fileURLToPath(new URL("../../db/functions", import.meta.url)),
};

/** Returns true if a serving process has created the tables of jobs. */
async function hasJobs(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select to_regclass('graphile_worker._private_jobs') is not null as found`;
  return row?.found ?? false;
}

/**
 * Takes the lock by which one process migrates at a time. It is only tried: a statement that waits for it would be a
 * transaction for which every build of an index waits.
 */
async function takeLock(sql: postgres.Sql, waitMs: number): Promise<void> {
  const started = performance.now();
  const pace = createPace();
  for (;;) {
    const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`;
    if (lock?.taken) return;
    const waitedMs = performance.now() - started;
    const holder = waitedMs > SILENT_MS ? await readHolder(sql, MIGRATION_LOCK) : undefined;
    if (holder && waitedMs > waitMs)
      throw new DatabaseUnusable(
        `Another process has been migrating the database for ${Math.round(waitedMs / 1000)} s: "${holder.application}", ` +
          `process ${holder.pid} of PostgreSQL. If it hangs, end it by \`select pg_terminate_backend(${holder.pid})\`, and start again.`,
      );
    if (holder && pace(String(holder.pid)))
      log.warn("The start waits for another process that migrates the database.", { ...holder });
    await sleep(AGAIN_MS);
  }
}

/** Applies the migrations; logs for whom they wait, and cancels the build of an index on one of their tables. */
async function applyPending(url: string, sql: postgres.Sql, migrations: readonly Migration[]): Promise<void> {
  const found = await pendingMigrations(sql, migrations);
  if (found.pending.length === 0) return;
  const pace = createPace();
  const watch = watchHolder(url, {
    lock: MIGRATION_LOCK,
    everyMs: LOOK_MS,
    async onBlocked(blockers, watching) {
      const [oldest] = blockers;
      if (pace(String(oldest.pid)))
        log.warn("A migration waits for a session that uses one of its tables.", { ...oldest });
      await cancelHolder(watching, INDEX_LOCK, blockers);
    },
  });
  try {
    await applyMigrations(sql, found);
  } finally {
    await watch.stop();
  }
}

interface MigrateOptions {
  sources?: Sources;
  /** True for a serving process; an operator's command does not replace the functions in `public`. */
  serves?: boolean;
  /** How long it waits for another process that migrates. */
  waitMs?: number;
}

/**
 * Brings a database up to date, except for indexes that are built beside calls; if several processes start it at once,
 * one of them does the work. Returns the address with which connections find the SQL functions of this release.
 */
export async function migrate(
  url: string,
  { sources = OUR_SOURCES, serves = true, waitMs = WAIT_MS }: MigrateOptions = {},
): Promise<string> {
  const migrations = readMigrations(sources.migrations);
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await nameSession(sql, "migrate");
    await takeLock(sql, waitMs);
    await applyPending(url, sql, migrations);
    if (serves || !(await hasJobs(sql))) {
      // Loaded late: the import takes a tenth of the processor time of an operator's command.
      const { migrateJobs } = await import("./migrations/migrate-jobs.ts");
      await migrateJobs(url);
    }
    const searchPath = await sql.begin(async (tx) => {
      // A newer release may have migrated the database.
      const isNewest = (await latestApplied(tx)) <= (migrations.at(-1)?.when ?? 0);
      return applyFunctions(tx, sources.functions, serves && isNewest);
    });
    return withSearchPath(url, searchPath);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
