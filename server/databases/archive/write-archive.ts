import { createHash, type KeyObject } from "node:crypto";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { currentTime } from "#server/base/clock.ts";
import { publicKeyOf, signBytes } from "#server/base/ed25519.ts";
import { quoteIdentifier } from "#server/base/quote-identifier.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { prepareStatement } from "../statement.ts";
import type { Description } from "./describe-catalogue.ts";
import type { Dump, DumpedTable } from "./dump-schema.ts";
import { exactWriter } from "./exact-text.ts";
import { CATALOGUE, MANIFEST, type Manifest, SCHEMA, SIGNATURE, tablePath } from "./manifest.ts";

/** The schema of a database, read before its rows. */
export interface Outline {
  dump: Dump;
  description: Description;
}

/**
 * Yields the tenant's database as a signed archive, read in this session's transaction: a consistent snapshot, in
 * constant memory.
 */
export async function* writeArchive(
  session: TenantSession,
  { dump, description }: Outline,
  key: KeyObject,
): AsyncGenerator<Uint8Array> {
  const before = dump.before.map(bytesOf);
  const after = [...dump.after, ...dump.filling].map(bytesOf);
  const zip = new ZipFile();
  const manifest: Manifest = {
    format: "managed-database/2",
    createdAt: currentTime().toISOString(),
    publicKey: publicKeyOf(key),
    tables: [],
    files: [],
    statements: { before: before.map(lengthOf), after: after.map(lengthOf) },
  };
  const output = zip.outputStream as Readable;
  const add = (path: string, content: () => AsyncIterable<Uint8Array>) =>
    zip.addReadStreamLazy(path, {}, (ready) => {
      const source = Readable.from(content(), { objectMode: false });
      // The zip does not handle the error itself: unhandled, it would end the process.
      source.on("error", (reason) => output.destroy(reason));
      ready(null, source);
    });
  const measured = (path: string, content: AsyncIterable<Uint8Array>) => measure(path, content, manifest);

  add(SCHEMA, () => measured(SCHEMA, Readable.from([...before, ...after])));
  add(CATALOGUE, () => measured(CATALOGUE, linesOf(description)));
  for (const table of dump.tables) {
    const path = tablePath(table.name);
    add(path, () => measured(path, rowsOf(session, table, manifest)));
  }
  // Entries are read one after the other, so that both of these know all before them.
  let bytes = Buffer.alloc(0);
  add(MANIFEST, async function* () {
    bytes = Buffer.from(JSON.stringify(manifest, null, 2));
    yield bytes;
  });
  add(SIGNATURE, async function* () {
    yield Buffer.from(signBytes(bytes, key));
  });
  zip.on("error", (reason: Error) => output.destroy(reason));
  zip.end();
  for await (const chunk of output) yield chunk;
}

/** Returns a statement as in `schema.sql`, which people and tools can run as a whole. */
const bytesOf = (statement: string) => Buffer.from(`${statement};\n`);
const lengthOf = (bytes: Uint8Array) => bytes.byteLength;

async function* linesOf(description: Description): AsyncGenerator<Uint8Array> {
  for (const [name, facts] of description) yield Buffer.from(`${JSON.stringify({ name, facts })}\n`);
}

async function* rowsOf(
  session: TenantSession,
  table: DumpedTable,
  manifest: Manifest,
): AsyncGenerator<Uint8Array> {
  const counted = { name: table.name, rows: 0 };
  manifest.tables.push(counted);
  const list = table.columns.map(quoteIdentifier).join(", ");
  const statement = await prepareStatement(
    session,
    `select ${list} from only public.${quoteIdentifier(table.name)}`,
    [],
    "body",
  );
  const write = exactWriter(statement.columns);
  for await (const batch of statement.batches()) {
    counted.rows += batch.length;
    let lines = "";
    for (const cells of batch) lines += `${refusingLongest(table, () => write(cells))}\n`;
    yield Buffer.from(lines);
  }
}

/** Refuses a row whose escapes make it longer than a string of JavaScript can be. */
function refusingLongest({ name }: DumpedTable, work: () => string): string {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const text = `A row of table ${name} takes more than 512 MB as JSON, the most in an archive. Store less in it.`;
    throw new ApiError("query_limit_exceeded", text, {}, { cause });
  }
}

async function* measure(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { files }: Manifest,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    sizeBytes += chunk.byteLength;
    yield chunk;
  }
  files.push({ path, sha256: hash.digest("hex"), sizeBytes });
}
