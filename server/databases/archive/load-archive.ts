import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { statementsOf } from "../action-sql.ts";
import { prepareStatement } from "../statement.ts";
import { parseExactly } from "../values.ts";
import { ROWS_HERE, SCHEMA, tablePath } from "./manifest.ts";
import { type Archive, ArchiveFault } from "./read-archive.ts";

const BATCH = 200;

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
    if (cause instanceof ArchiveFault || !(cause instanceof Error)) throw cause;
    throw new ArchiveFault(`It can't be loaded: ${cause.message}.`, entry);
  }
}

async function loadRows(session: TenantSession, archive: Archive, table: string): Promise<void> {
  const lines = createInterface({ input: Readable.from(await archive.read(tablePath(table))), crlfDelay: 0 });
  let rows: Record<string, unknown>[] = [];
  for await (const line of lines) {
    rows.push(parseExactly(line) as Record<string, unknown>);
    if (rows.length === BATCH) {
      await insert(session, table, rows);
      rows = [];
    }
  }
  await insert(session, table, rows);
}

async function insert(session: TenantSession, table: string, rows: Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return;
  for (const { sql, params } of statementsOf({ type: "rows.insert", table, rows })) {
    // Identity columns get the values that they had.
    const text = sql.replace(") values (", ") overriding system value values (");
    await (await prepareStatement(session, text, params, "body")).run();
  }
}
