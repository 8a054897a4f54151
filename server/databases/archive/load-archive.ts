import { isDatabaseGone } from "#server/operation/faults.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { ROWS_HERE, SCHEMA, tablePath } from "./manifest.ts";
import { type Archive, ArchiveFault } from "./read-archive.ts";

/** Makes an archive's schema and rows in an empty database, within the transaction of this session. */
export async function loadArchive(session: TenantSession, archive: Archive): Promise<void> {
  const text = await textOf(archive);
  const [before, after] = text.split(`${ROWS_HERE}\n`);
  if (before === undefined || after === undefined)
    throw new ArchiveFault("It does not say where the rows are loaded.", SCHEMA);
  await inEntry(SCHEMA, () => session.sql.unsafe(before).simple());
  for (const { name } of archive.manifest.tables)
    await inEntry(tablePath(name), () => loadRows(session, archive, name));
  await inEntry(SCHEMA, () => session.sql.unsafe(after).simple());
}

async function textOf(archive: Archive): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await archive.read(SCHEMA)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function inEntry<T>(entry: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ArchiveFault || !(cause instanceof Error) || isDatabaseGone(cause)) throw cause;
    throw new ArchiveFault(`It can't be loaded: ${cause.message}.`, entry);
  }
}

const LINE_END = 10;
/** How much of a table's rows is handed to PostgreSQL at once. */
const MOST_BYTES = 1_048_576;

/** PostgreSQL itself reads the rows' JSON, each value by its column's type and with every digit. */
async function loadRows({ sql }: TenantSession, archive: Archive, table: string): Promise<void> {
  const statement = await insertion(sql, table);
  const insert = (lines: Buffer) => {
    const text = lines.toString().replaceAll("\n", ",");
    return sql.unsafe(statement, [`[${text}]`]);
  };
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of await archive.read(tablePath(table))) {
    held.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < MOST_BYTES || !chunk.includes(LINE_END)) continue;
    const all = Buffer.concat(held);
    const end = all.lastIndexOf(LINE_END);
    held = [all.subarray(end + 1)];
    bytes = all.length - end - 1;
    await insert(all.subarray(0, end));
  }
  const last = Buffer.concat(held);
  const whole = last.at(-1) === LINE_END ? last.subarray(0, -1) : last;
  if (whole.length > 0) await insert(whole);
}

/** Identity columns get the values that they had; generated ones are PostgreSQL's to fill. */
async function insertion(sql: TenantSession["sql"], table: string): Promise<string> {
  const named = `public."${table.replaceAll('"', '""')}"`;
  const [row] = await sql.unsafe<{ columns: string | null }[]>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_catalog.pg_attribute
    where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [named],
  );
  if (!row?.columns) return `insert into ${named} select from json_array_elements($1::json)`;
  return `insert into ${named} (${row.columns}) overriding system value
    select ${row.columns} from json_populate_recordset(null::${named}, $1::json)`;
}
