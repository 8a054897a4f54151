import { isDatabaseGone } from "#server/operation/faults.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { prepareStatement } from "../statement.ts";
import { copyIn } from "./copy-in.ts";
import { copyLines } from "./copy-lines.ts";
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

/** Identity columns get the values that they had; generated ones are PostgreSQL's to fill. */
async function loadRows(session: TenantSession, archive: Archive, table: string): Promise<void> {
  const named = `public."${table.replaceAll('"', '""')}"`;
  const [row] = await session.sql.unsafe<{ list: string | null }[]>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_catalog.pg_attribute
    where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [named],
  );
  const list = row?.list ?? "";
  const { columns } = await prepareStatement(session, `select ${list} from only ${named}`, [], SCHEMA);
  const lines = copyLines(await archive.read(tablePath(table)), columns);
  await copyIn(session, `copy ${named} ${list && `(${list})`} from stdin`, lines);
}
