import type { startApi } from "./api.ts";

/** Returns the content of a backup: every row of every table, bytes in hexadecimal. */
export async function everyRow(api: Awaited<ReturnType<typeof startApi>>): Promise<string> {
  const { client } = api.platform.database;
  const tables = await client<{ name: string }[]>`
    select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  const rows: string[] = [];
  for (const { name } of tables)
    for (const { row } of await client.unsafe(`select t::text as row from ${name} t`)) rows.push(row);
  return rows.join("\n");
}
