import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { databaseResults } from "#db/schema/databases.ts";
import { readBlob, writeBlob } from "#server/blobs/queries.ts";
import { defined } from "#server/defined.ts";
import { newUuid } from "#server/ids.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";
import { DATABASE_LIMITS } from "./schema.ts";
import { type Cells, type ResultColumn, sizeOfRow } from "./statement.ts";

/** The identity of one execution of a query. */
export interface Execution {
  accountId: string;
  /** SHA-256 of the request; see `databaseResults`. */
  fingerprint(): Uint8Array;
}

/** How long the rest of a result can be read, in minutes. */
const SPOOL_MINUTES = 15;
const PIECE_BYTES = 256 * 1024;
const context = (id: string, piece: number) => `database-result/${id}/${piece}`;

/**
 * Stores the rest of a result, in constant memory, and returns the cursor of its first row. The columns' types are
 * known after the last row.
 */
export async function spoolRest(
  db: Db,
  { accountId, fingerprint }: Execution,
  columns: () => ResultColumn[],
  rest: AsyncIterable<Cells[]>,
): Promise<string> {
  const id = newUuid();
  const pieces: { start: number; end: number; rows: number }[] = [];
  const blob = await writeBlob(sealedPieces(id, rest, pieces), {
    accountId,
    kind: "results",
    minutes: SPOOL_MINUTES + 1,
  });
  const rowCount = pieces.reduce((sum, { rows }) => sum + rows, 0);
  const expiresAt = sql`clock_timestamp() + ${SPOOL_MINUTES} * interval '1 minute'`;
  await db.insert(databaseResults).values({
    accountId,
    id,
    fingerprint: fingerprint(),
    blobKey: blob.key,
    columns: columns(),
    pieces,
    rowCount,
    expiresAt,
  });
  return cursorOf(id, 0);
}

async function* sealedPieces(
  id: string,
  rest: AsyncIterable<Cells[]>,
  pieces: { start: number; end: number; rows: number }[],
): AsyncGenerator<Uint8Array> {
  let start = 0;
  let buffered: Cells[] = [];
  let heldBytes = 0;

  function seal(): Uint8Array {
    const plain = new TextEncoder().encode(JSON.stringify(buffered));
    const sealed = sealFor(platform().settings.sealingKeys, context(id, pieces.length), plain);
    pieces.push({ start, end: start + sealed.length - 1, rows: buffered.length });
    start += sealed.length;
    buffered = [];
    heldBytes = 0;
    return sealed;
  }

  for await (const batch of rest)
    for (const cells of batch) {
      buffered.push(cells);
      heldBytes += sizeOfRow(cells);
      if (heldBytes >= PIECE_BYTES) yield seal();
    }
  if (buffered.length > 0) yield seal();
}

/** Reads the next page of a stored result: up to `maxRows` rows within a response's size. */
export async function readSpool(
  db: Db,
  { accountId, fingerprint }: Execution,
  cursor: string,
  maxRows: number,
): Promise<{ columns: ResultColumn[]; rows: Cells[]; nextCursor: string | null }> {
  const { id, from } = readCursor(cursor);
  const [result] = await db
    .select()
    .from(databaseResults)
    .where(
      and(
        eq(databaseResults.accountId, accountId),
        eq(databaseResults.id, id),
        sql`${databaseResults.expiresAt} > clock_timestamp()`,
      ),
    );
  if (!result) throw expired();
  if (!Buffer.from(result.fingerprint).equals(fingerprint()))
    throw invalid(
      "body.cursor",
      "The cursor belongs to another query. Send the `sql`, `params` and `rowMode` it came with.",
    );
  const rows: Cells[] = [];
  let bytes = 0;
  let skip = from;
  for (const [place, piece] of result.pieces.entries()) {
    if (skip >= piece.rows) {
      skip -= piece.rows;
      continue;
    }
    for (const cells of (await openPiece(result, place)).slice(skip)) {
      bytes += sizeOfRow(cells);
      if (rows.length === maxRows || (rows.length > 0 && bytes > DATABASE_LIMITS.maximumAnswerBytes)) break;
      rows.push(cells);
    }
    skip = 0;
    if (rows.length === maxRows || bytes > DATABASE_LIMITS.maximumAnswerBytes) break;
  }
  const next = from + rows.length;
  return { columns: result.columns, rows, nextCursor: next < result.rowCount ? cursorOf(id, next) : null };
}

async function openPiece(result: typeof databaseResults.$inferSelect, place: number): Promise<Cells[]> {
  const piece = defined(result.pieces[place]);
  const stream = await readBlob(result.blobKey, piece);
  const sealed = new Uint8Array(await new Response(stream).arrayBuffer());
  const plain = openFor(platform().settings.sealingKeys, context(result.id, place), sealed);
  if (!plain) throw expired();
  return JSON.parse(new TextDecoder().decode(plain));
}

/** Deletes expired results; the sweep deletes their blobs. */
export async function sweepResults(db: Db): Promise<void> {
  await db.delete(databaseResults).where(lt(databaseResults.expiresAt, sql`clock_timestamp()`));
}

function expired(): ApiError {
  return new ApiError(
    "cursor_expired",
    `A result is kept for ${SPOOL_MINUTES} minutes. Send the query again without a cursor.`,
  );
}

function cursorOf(id: string, row: number): string {
  const place = Buffer.alloc(4);
  place.writeUInt32BE(row);
  return Buffer.concat([Buffer.from(id.replaceAll("-", ""), "hex"), place]).toString("base64url");
}

function readCursor(cursor: string): { id: string; from: number } {
  const raw = Buffer.from(cursor, "base64url");
  if (raw.length !== 20)
    throw invalid("body.cursor", "Not a cursor of a query. Pass `nextCursor` as it was answered.");
  const hex = raw.toString("hex");
  const id = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join("-");
  return { id, from: raw.readUInt32BE(16) };
}
