import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type postgres from "postgres";

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
  /** The statement's part after the table's name. */
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

/** Returns the index that a migration's statement builds concurrently; null if it does something else. */
export function concurrentIndexOf(statement: string): ConcurrentIndex | null {
  const [found, unique, name = "", table = "", definition = ""] = CONCURRENT.exec(statement) ?? [];
  if (found === undefined) return null;
  // Calls begin before it is built.
  if (unique)
    throw new Error(
      `The unique index ${name} is built after calls that rely on it; create it without CONCURRENTLY.`,
    );
  return { name, table, definition };
}

/** Returns the name of the index that a migration's statement drops; null if it does something else. */
export const droppedIndexOf = (statement: string): string | null => DROPPED.exec(statement)?.[1] ?? null;

/** Returns the indexes that are built concurrently, without those that a later migration drops. */
function concurrentIndexes(migrations: readonly Migration[]): ConcurrentIndex[] {
  const indexes = new Map<string, ConcurrentIndex>();
  for (const statement of migrations.flatMap(({ statements }) => statements)) {
    const index = concurrentIndexOf(statement);
    if (index) indexes.set(index.name, index);
    const dropped = droppedIndexOf(statement);
    if (dropped !== null) indexes.delete(dropped);
  }
  return [...indexes.values()];
}

/** Returns which of these indexes are not completely built, of the tables that exist. */
export async function withoutBuilt(
  sql: postgres.ISql,
  indexes: readonly ConcurrentIndex[],
): Promise<ConcurrentIndex[]> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${indexes.map(({ name }) => name)}::text[], ${indexes.map(({ table }) => table)}::text[]) as i (name, of_table)
    where to_regclass(quote_ident(of_table)) is not null
      and not exists (select from pg_index where indexrelid = to_regclass(quote_ident(name)) and indisvalid)`;
  const names = new Set(rows.map(({ name }) => name));
  return indexes.filter(({ name }) => names.has(name));
}

/**
 * Returns the indexes of this release that are still to be built; none if a newer release has migrated the database,
 * which may have dropped them.
 */
export async function missingIndexes(
  sql: postgres.ISql,
  migrations: readonly Migration[],
): Promise<ConcurrentIndex[]> {
  const indexes = concurrentIndexes(migrations);
  if (indexes.length === 0 || (await latestApplied(sql)) > (migrations.at(-1)?.when ?? 0)) return [];
  return withoutBuilt(sql, indexes);
}

/** Returns when the latest applied migration was generated; 0 if none is applied. */
export async function latestApplied(sql: postgres.ISql): Promise<number> {
  const [latest] = await sql<{ at: number }[]>`
    select coalesce(max(created_at), 0)::float8 as at from drizzle.__drizzle_migrations`;
  return latest?.at ?? 0;
}
