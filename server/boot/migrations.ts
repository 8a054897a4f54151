import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type postgres from "postgres";
import { defined } from "../defined.ts";
import { retryLocked } from "./retry-locked.ts";

export interface Migration {
  tag: string;
  /** When it was generated, by which migrations are ordered. */
  when: number;
  hash: string;
  statements: string[];
}

/** An index that is built while calls use its table (`CREATE INDEX CONCURRENTLY`), which no transaction allows. */
export interface ConcurrentIndex {
  name: string;
  table: string;
  unique: boolean;
  /** What follows the table's name. */
  definition: string;
}

/** Reads the migrations of a folder, oldest first. */
export function readMigrations(folder: string): Migration[] {
  const journal = `${folder}/meta/_journal.json`;
  if (!existsSync(journal)) return [];
  const { entries }: { entries: Pick<Migration, "tag" | "when">[] } = JSON.parse(
    readFileSync(journal, "utf8"),
  );
  return entries.map(({ tag, when }) => {
    const text = readFileSync(`${folder}/${tag}.sql`, "utf8");
    const statements = text.split("--> statement-breakpoint").map((statement) => statement.trim());
    return { tag, when, hash: createHash("sha256").update(text).digest("hex"), statements };
  });
}

const CONCURRENT = /^(?:--.*\n)*CREATE (UNIQUE )?INDEX CONCURRENTLY "(\w+)" ON "(\w+)" ([^;]+);?$/;
const DROPPED = /^(?:--.*\n)*DROP INDEX "(\w+)";?$/;

function concurrentIndexOf(statement: string): ConcurrentIndex | null {
  const [found, unique, name = "", table = "", definition = ""] = CONCURRENT.exec(statement) ?? [];
  return found === undefined ? null : { name, table, unique: unique !== undefined, definition };
}

/** Returns the indexes that are built concurrently, without those that a later migration drops. */
export function concurrentIndexes(migrations: readonly Migration[]): ConcurrentIndex[] {
  const indexes = new Map<string, ConcurrentIndex>();
  for (const statement of migrations.flatMap(({ statements }) => statements)) {
    const index = concurrentIndexOf(statement);
    if (index) indexes.set(index.name, index);
    const [, dropped] = DROPPED.exec(statement) ?? [];
    if (dropped) indexes.delete(dropped);
  }
  return [...indexes.values()];
}

/** Returns the statement that creates an index on its table, or on a partition of it. */
export function createIndex(
  { name, table, unique, definition }: ConcurrentIndex,
  how: "" | "CONCURRENTLY",
  on = `"${table}"`,
): string {
  // A partition has another name than the table by which the conditions name its columns.
  const columns = definition.replaceAll(`"${table}".`, "");
  return `CREATE ${unique ? "UNIQUE " : ""}INDEX ${how} "${name}" ON ${on} ${columns}`;
}

/** Returns a statement as the transaction executes it; null if it builds an index afterwards. */
function inTransaction(statement: string, isEmpty: boolean): string | null {
  const index = concurrentIndexOf(statement);
  if (index) return isEmpty ? createIndex(index, "") : null;
  // It may be one that was never built.
  const [, dropped] = DROPPED.exec(statement) ?? [];
  return dropped ? `DROP INDEX IF EXISTS "${dropped}"` : statement;
}

/** Returns when the latest applied migration was generated; 0 if none is applied. */
export async function latestApplied(sql: postgres.Sql | postgres.TransactionSql): Promise<number> {
  const [latest] = await sql<{ at: number }[]>`
    select coalesce(max(created_at), 0)::float8 as at from drizzle.__drizzle_migrations`;
  return defined(latest).at;
}

/**
 * Applies the migrations, all or none, except for the indexes that are built concurrently; an empty database gets these
 * at once. A statement that waits for a table's lock blocks every later statement on that table, so it gives up before
 * calls time out, and is retried.
 */
export async function applyMigrations(sql: postgres.Sql, migrations: readonly Migration[]): Promise<void> {
  // Drizzle's own table: earlier releases migrated by it.
  await sql`create schema if not exists drizzle`;
  await sql`
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  const applied = await latestApplied(sql);
  const pending = migrations.filter(({ when }) => when > applied);
  if (pending.length === 0) return;
  await retryLocked(() =>
    sql.begin(async (tx) => {
      await tx`set local lock_timeout = '2s'`;
      for (const { tag, when, hash, statements } of pending) {
        for (const statement of statements.flatMap((one) => inTransaction(one, applied === 0) ?? []))
          await tx.unsafe(statement).catch((cause) => {
            throw new Error(`db/migrations/${tag}.sql: ${cause.message}`, { cause });
          });
        await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
      }
    }),
  );
}
