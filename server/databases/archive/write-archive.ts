import { createHash, type KeyObject } from "node:crypto";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import { prepareStatement } from "../statement.ts";
import { objectWriter } from "../values.ts";
import { type DumpedTable, dumpSchema } from "./dump-schema.ts";
import {
  MANIFEST,
  type Manifest,
  publicKeyOf,
  ROWS_HERE,
  SCHEMA,
  SIGNATURE,
  signManifest,
  tablePath,
} from "./manifest.ts";
import { refuseUnheld } from "./refuse-unheld.ts";

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * The tenant's database as a signed archive, read in the transaction of this session: a consistent snapshot, in memory
 * that does not grow with it.
 */
export async function* writeArchive(session: TenantSession, key: KeyObject): AsyncGenerator<Uint8Array> {
  await refuseUnheld(session);
  const { before, after, tables } = await dumpSchema(session);
  const zip = new ZipFile();
  const manifest: Manifest = {
    format: "managed-database/1",
    createdAt: new Date().toISOString(),
    publicKey: publicKeyOf(key),
    tables: [],
    files: [],
  };
  const output = zip.outputStream as Readable;
  const add = (path: string, content: () => AsyncIterable<Uint8Array>) =>
    zip.addReadStreamLazy(path, {}, (ready) => {
      const source = Readable.from(content(), { objectMode: false });
      // The zip itself does not listen: a failure would end the process, and the archive never.
      source.on("error", (reason) => output.destroy(reason));
      ready(null, source);
    });
  const measured = (path: string, content: AsyncIterable<Uint8Array>) => measure(path, content, manifest);

  add(SCHEMA, () => measured(SCHEMA, textOf(before, after)));
  for (const table of tables) {
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
    yield Buffer.from(signManifest(bytes, key));
  });
  zip.on("error", (reason) => output.destroy(reason as Error));
  zip.end();
  for await (const chunk of output) yield chunk as Uint8Array;
}

async function* textOf(before: string[], after: string[]): AsyncGenerator<Uint8Array> {
  const text = (statements: string[]) => statements.map((statement) => `${statement};\n`).join("");
  yield Buffer.from(`set local check_function_bodies = off;\n${text(before)}${ROWS_HERE}\n${text(after)}`);
}

async function* rowsOf(
  session: TenantSession,
  table: DumpedTable,
  manifest: Manifest,
): AsyncGenerator<Uint8Array> {
  const counted = { name: table.name, rows: 0 };
  manifest.tables.push(counted);
  const list = table.columns.map(quote).join(", ");
  const statement = await prepareStatement(
    session,
    `select ${list} from only public.${quote(table.name)}`,
    [],
    "body",
  );
  const write = objectWriter(statement.columns);
  for await (const batch of statement.batches()) {
    counted.rows += batch.length;
    let lines = "";
    for (const cells of batch) lines += `${write(cells)}\n`;
    yield Buffer.from(lines);
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
