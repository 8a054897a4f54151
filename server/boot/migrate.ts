import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import { runMigrations as runJobMigrations } from "graphile-worker";
import postgres from "postgres";
import { jobsLogger } from "../jobs/logger.ts";

// Any number that no other advisory lock of ours has.
const migrationLock = 7_305_482_913;

export interface Sources {
  migrations: string;
  functions: string;
}

const ours: Sources = {
  migrations: fileURLToPath(new URL("../../db/migrations", import.meta.url)),
  functions: fileURLToPath(new URL("../../db/functions", import.meta.url)),
};

function readFunctions(folder: string) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => ({ name, text: readFileSync(`${folder}/${name}`, "utf8") }));
}

/** Applies the SQL functions, all or none, when any of them differs from what the database has. */
async function applyFunctions(sql: postgres.Sql, folder: string) {
  const functions = readFunctions(folder);
  const hash = createHash("sha256").update(JSON.stringify(functions)).digest("hex");
  await sql`create table if not exists drizzle.applied_functions (hash text not null, applied_at timestamptz not null default now())`;
  const [applied] = await sql`select from drizzle.applied_functions where hash = ${hash}`;
  if (applied) return;
  await sql.begin(async (tx) => {
    for (const { name, text } of functions) {
      await tx.unsafe(text).catch((cause) => {
        throw new Error(`db/functions/${name}: ${cause.message}`, { cause });
      });
    }
    await tx`delete from drizzle.applied_functions`;
    await tx`insert into drizzle.applied_functions (hash) values (${hash})`;
  });
}

/** Brings a database up to date; several processes may start it at once, and one of them does the work. */
export async function migrate(url: string, sources = ours) {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await sql`create schema if not exists drizzle`;
    if (existsSync(`${sources.migrations}/meta/_journal.json`)) {
      await runMigrations(drizzle(sql), { migrationsFolder: sources.migrations });
    }
    await runJobMigrations({ connectionString: url, logger: jobsLogger });
    await applyFunctions(sql, sources.functions);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
