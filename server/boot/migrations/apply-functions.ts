import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type postgres from "postgres";
import { defined } from "../../base/defined.ts";

interface FunctionFile {
  name: string;
  text: string;
}

function readFunctions(folder: string): FunctionFile[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => ({ name, text: readFileSync(`${folder}/${name}`, "utf8") }));
}

async function apply(tx: postgres.TransactionSql, functions: readonly FunctionFile[]): Promise<void> {
  for (const { name, text } of functions) {
    await tx.unsafe(text).catch((cause) => {
      throw new Error(`db/functions/${name}: ${cause.message}`, { cause });
    });
  }
}

/** A new schema has nothing to drop, and PostgreSQL would drop the function of that name in `public` instead. */
const withoutDrops = ({ name, text }: FunctionFile): FunctionFile => ({
  name,
  text: text.replace(/^drop function .*;$/gm, ""),
});

/**
 * Creates the schema with this release's SQL functions, so that processes of another release keep theirs. Returns its
 * name, which is the functions' digest.
 */
async function createRelease(
  tx: postgres.TransactionSql,
  functions: FunctionFile[],
  path: string,
): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(functions)).digest("hex");
  const schema = `fn_${digest.slice(0, 16)}`;
  const [existing] = await tx`select from pg_namespace where nspname = ${schema}`;
  if (!existing) {
    await tx`create schema ${tx(schema)}`;
    await tx`select set_config('search_path', ${`${schema}, ${path}`}, true)`;
    await apply(tx, functions.map(withoutDrops));
    await tx`select set_config('search_path', ${path}, true)`;
  }
  await tx`
    insert into drizzle.function_releases (schema) values (${schema})
    on conflict (schema) do update set started_at = now()`;
  return schema;
}

/** The number of releases whose functions stay: processes of the previous release may still be running. */
const RELEASES_KEPT = 5;

/**
 * Drops the functions of all releases but the most recently started ones; leaves a schema with other contents alone.
 */
async function dropOldReleases(tx: postgres.TransactionSql): Promise<void> {
  const old = await tx<{ schema: string }[]>`
    delete from drizzle.function_releases where schema not in (
      select schema from drizzle.function_releases order by started_at desc limit ${RELEASES_KEPT})
      and not exists (select from pg_class where relnamespace = to_regnamespace(schema))
    returning schema`;
  for (const { schema } of old) await tx`drop schema if exists ${tx(schema)} cascade`;
}

/** Replaces the functions in `public`, for sessions that name no release: those of a pooler, and people's own. */
async function replacePublic(tx: postgres.TransactionSql, functions: FunctionFile[], schema: string) {
  const [current] = await tx`select from drizzle.applied_functions where hash = ${schema}`;
  if (current) return;
  await apply(tx, functions);
  await tx`delete from drizzle.applied_functions`;
  await tx`insert into drizzle.applied_functions (hash) values (${schema})`;
}

/**
 * Applies the SQL functions of this release in a schema of its own, and in `public` if this is the current release or
 * the first. Returns the search path with which sessions find them.
 */
export async function applyFunctions(
  tx: postgres.TransactionSql,
  folder: string,
  isCurrent: boolean,
): Promise<string> {
  await tx`create table if not exists drizzle.applied_functions (hash text not null, applied_at timestamptz not null default now())`;
  await tx`create table if not exists drizzle.function_releases (schema text primary key, started_at timestamptz not null default now())`;
  const functions = readFunctions(folder);
  const path = await searchPath(tx);
  const [applied] = await tx`select from drizzle.applied_functions`;
  const schema = await createRelease(tx, functions, path);
  if (isCurrent || !applied) await replacePublic(tx, functions, schema);
  await dropOldReleases(tx);
  return `${schema}, ${path}`;
}

async function searchPath(tx: postgres.TransactionSql): Promise<string> {
  const [session] = await tx<{ path: string }[]>`select current_setting('search_path') as path`;
  return defined(session).path;
}
