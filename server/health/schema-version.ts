import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "postgres";
import { sourceFolder } from "#server/base/source-folder.ts";

interface Migration {
  tag: string;
  when: number;
}

let known: Migration[] | undefined;
let latest: string | null = null;

function readJournal(): Migration[] {
  const file = join(sourceFolder(), "db/migrations/meta/_journal.json");
  const { entries }: { entries: Migration[] } = JSON.parse(readFileSync(file, "utf8"));
  return entries;
}

/** Returns the database's latest known migration; null before the database has responded. */
export const schemaVersion = (): string | null => latest;

/** Reads the database's latest migration, which a newer release may have applied. */
export async function readSchemaVersion(sql: Sql): Promise<void> {
  const [row] = await sql<{ at: number }[]>`
    select created_at::float8 as at from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  known ??= readJournal();
  const newest = known.at(-1)?.tag ?? null;
  latest = known.find(({ when }) => when === row?.at)?.tag ?? `after ${newest}`;
}
