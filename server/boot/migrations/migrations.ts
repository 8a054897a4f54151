import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import {
  type ConcurrentIndex,
  concurrentIndexOf,
  droppedIndexOf,
  latestApplied,
  type Migration,
} from "#db/migration-files.ts";
import { isLockError, messageOf } from "../../base/thrown.ts";
import { DatabaseUnusable } from "../await-database.ts";

const ATTEMPTS = 30;
const AGAIN_MS = 1000;

/** Returns the statement that creates an index on its table, or on a partition of it. */
export function createIndex(
  { name, table, definition }: ConcurrentIndex,
  how: "" | "CONCURRENTLY",
  on = `"${table}"`,
): string {
  // A partition has another name than the table by which the conditions name its columns.
  const columns = definition.replaceAll(`"${table}".`, "");
  return `CREATE INDEX ${how} "${name}" ON ${on} ${columns}`;
}

/** Returns a statement as the transaction executes it; null if it builds an index afterwards. */
function inTransaction(statement: string, isEmpty: boolean): string | null {
  const index = concurrentIndexOf(statement);
  if (index) return isEmpty ? createIndex(index, "") : null;
  // It may be one that was never built.
  const dropped = droppedIndexOf(statement);
  return dropped === null ? statement : `DROP INDEX IF EXISTS "${dropped}"`;
}

/** Applies migrations in one transaction; returns the error if they did not get the locks of their tables. */
async function tryMigrations(
  sql: postgres.Sql,
  pending: readonly Migration[],
  isEmpty: boolean,
): Promise<Error | null> {
  let current = "";
  try {
    await sql.begin(async (tx) => {
      await tx`set local lock_timeout = '2s'`;
      for (const { tag, when, hash, statements } of pending) {
        current = tag;
        for (const statement of statements.flatMap((one) => inTransaction(one, isEmpty) ?? []))
          await tx.unsafe(statement);
        await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
      }
    });
    return null;
  } catch (cause) {
    const error = new Error(`db/migrations/${current}.sql: ${messageOf(cause)}`, { cause });
    if (isLockError(cause)) return error;
    throw error;
  }
}

/** Returns the migrations that the database does not have yet; creates the table in which they are recorded. */
export async function pendingMigrations(
  sql: postgres.Sql,
  migrations: readonly Migration[],
): Promise<{ pending: Migration[]; isEmpty: boolean }> {
  // Drizzle's own table: earlier releases migrated by it.
  await sql`create schema if not exists drizzle`;
  await sql`
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  const applied = await latestApplied(sql);
  return { pending: migrations.filter(({ when }) => when > applied), isEmpty: applied === 0 };
}

/**
 * Applies the migrations, all or none, except for the indexes that are built concurrently; an empty database gets these
 * at once. A statement that waits for a table's lock blocks every later statement on that table, so it gives up before
 * calls time out, and is retried for a minute and a half.
 */
export async function applyMigrations(
  sql: postgres.Sql,
  { pending, isEmpty }: Awaited<ReturnType<typeof pendingMigrations>>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const locked = await tryMigrations(sql, pending, isEmpty);
    if (!locked) return;
    if (attempt === ATTEMPTS)
      throw new DatabaseUnusable(
        `${locked.message}, ${ATTEMPTS} times. End the sessions that the log names, and start again.`,
        { cause: locked },
      );
    await sleep(AGAIN_MS);
  }
}
