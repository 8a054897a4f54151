import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { quoteIdentifier } from "#server/base/quote-identifier.ts";
import { isConnectionLost } from "#server/operation/faults.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { prepareStatement, refuseKind } from "../statement.ts";
import { copyLines, wholeLines } from "./copy-lines.ts";
import { isOfContents } from "./describe/relations.ts";
import { type Description, findDifferences } from "./describe-catalogue.ts";
import { PINNED_PATH, TENANT_PATH } from "./dump/objects.ts";
import type { Dump } from "./dump-schema.ts";
import { CATALOGUE, ROWS_HERE, SCHEMA, tablePath } from "./manifest.ts";
import { type Archive, ArchiveFault } from "./read-archive.ts";
import { sizeOfDefinition } from "./read-definitions.ts";

/** Lets the server refuse a second statement in a text. */
const NOT_SIMPLE: postgres.UnsafeQueryOptions & { simple: false } = { simple: false };
/** The number of differences that a fault names. */
const MAX_NAMED = 5;
/** The most bytes of a description; earlier releases have exported longer ones than an export may have now. */
const MAX_DESCRIBED = 256 * 1_048_576;

/**
 * Loads an archive's schema and rows into an empty database, in the transaction of this session, and verifies that the
 * database then matches the archive's description.
 */
export async function loadArchive(session: TenantSession, archive: Archive): Promise<void> {
  const { manifest } = archive;
  if (manifest.format === "managed-database/1") return loadFirstFormat(session, archive);
  const { before, after } = manifest.statements;
  const statements = statementsOf(archive, [...before, ...after]);
  await runStatements(session, statements, before.length);
  await loadTables(session, archive);
  await runStatements(session, statements, after.length);
  const wanted = await inEntry(CATALOGUE, () => readDescription(archive));
  refuseDifference(await findDifferences(session, wanted));
}

/** Loads the schema alone, and verifies that the database then matches the description, except for contents. */
export async function loadSchema(
  session: TenantSession,
  { before, after }: Pick<Dump, "before" | "after">,
  wanted: Description,
): Promise<void> {
  const statements = [...before, ...after];
  await runStatements(session, statements.values(), statements.length);
  const differing = await findDifferences(session, wanted);
  refuseDifference(differing.filter((name) => !isOfContents(name)));
}

function refuseDifference(names: readonly string[]): void {
  if (names.length === 0) return;
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : "";
  const text = `The loaded database differs from its description: ${names.slice(0, MAX_NAMED).join(", ")}${more}.`;
  throw new ArchiveFault(text, CATALOGUE);
}

async function runStatements(
  { sql }: TenantSession,
  statements: Iterator<string> | AsyncIterator<string>,
  count: number,
): Promise<void> {
  await inEntry(SCHEMA, async () => {
    await sql.unsafe(`${PINNED_PATH}; set local check_function_bodies = off`);
    for (let done = 0; done < count; done++) {
      const { value } = await statements.next();
      refuseKind(value, SCHEMA);
      // One statement at a time: PostgreSQL then refuses a second one behind it.
      await sql.unsafe(value, [], NOT_SIMPLE);
    }
    await sql.unsafe(TENANT_PATH);
  });
}

/** Yields the statements of `schema.sql`, split by their lengths. */
async function* statementsOf(archive: Archive, lengths: readonly number[]): AsyncGenerator<string> {
  let buffered: Uint8Array[] = [];
  let bytes = 0;
  let next = 0;
  for await (const chunk of await archive.read(SCHEMA)) {
    buffered.push(chunk);
    bytes += chunk.byteLength;
    while (next < lengths.length && bytes >= defined(lengths[next])) {
      const all = Buffer.concat(buffered);
      const length = defined(lengths[next++]);
      yield all.toString("utf8", 0, length);
      buffered = [all.subarray(length)];
      bytes -= length;
    }
  }
  if (next < lengths.length || bytes > 0)
    throw new ArchiveFault("It has other statements than the manifest says.", SCHEMA);
}

async function readDescription(archive: Archive): Promise<Description> {
  const description: Description = new Map();
  let room = MAX_DESCRIBED;
  for await (const lines of wholeLines(await archive.read(CATALOGUE)))
    for (const line of lines.toString().split("\n")) {
      const { name, facts }: { name: string; facts: string } = JSON.parse(line);
      room -= sizeOfDefinition(name, facts);
      if (room < 0) throw new ArchiveFault(`It describes more than ${MAX_DESCRIBED} bytes.`, CATALOGUE);
      description.set(name, facts);
    }
  return description;
}

/** The first format: statements as one text, with a line where the rows are loaded, and without a description. */
async function loadFirstFormat(session: TenantSession, archive: Archive): Promise<void> {
  const [before, after] = (await textOf(archive, SCHEMA)).split(`${ROWS_HERE}\n`);
  if (before === undefined || after === undefined)
    throw new ArchiveFault("It does not say where the rows are loaded.", SCHEMA);
  await inEntry(SCHEMA, () => session.sql.unsafe(before).simple());
  await loadTables(session, archive);
  await inEntry(SCHEMA, () => session.sql.unsafe(after).simple());
}

async function textOf(archive: Archive, entry: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await archive.read(entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The cluster's disk is full, or others were in the way: the same archive may be loaded later. */
const PASSING_CODES = new Set(["53100", "40001", "40P01", "55P03"]);

const mayPass = (cause: Error) =>
  isConnectionLost(cause) || ("code" in cause && PASSING_CODES.has(String(cause.code)));

async function inEntry<T>(entry: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ArchiveFault || !(cause instanceof Error) || mayPass(cause)) throw cause;
    throw new ArchiveFault(`It can't be loaded: ${cause.message}.`, entry);
  }
}

async function loadTables(session: TenantSession, archive: Archive): Promise<void> {
  for (const { name } of archive.manifest.tables)
    await inEntry(tablePath(name), () => loadRows(session, archive, name));
}

/** Identity columns get their original values; PostgreSQL computes generated ones. */
async function loadRows(session: TenantSession, archive: Archive, table: string): Promise<void> {
  const named = `public.${quoteIdentifier(table)}`;
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

interface Copying {
  reject(reason: unknown): void;
  writable(): Promise<Writable>;
}

/** Runs a COPY from this content. Throws PostgreSQL's error. */
async function copyIn(
  { sql }: TenantSession,
  statement: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const query = sql.unsafe(statement) as unknown as Copying;
  // An error after the last byte reaches only the query, which the driver has resolved already.
  const refused = new Promise<never>((_, reject) => {
    const rejectQuery = query.reject;
    query.reject = (reason) => {
      rejectQuery(reason);
      reject(reason);
    };
  });
  refused.catch(() => undefined);
  const target = await query.writable();
  await Promise.race([pipeline(Readable.from(content, { objectMode: false }), target), refused]);
}
