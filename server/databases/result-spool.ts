import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { databaseResults } from "#db/schema/databases.ts";
import { newUuid } from "#server/base/ids.ts";
import { readBlob, removeBlob, writeBlob } from "#server/blobs/queries.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";
import { inSlice, resultTurn } from "./result-turns.ts";
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

/** The bounds of a page. */
export interface PageBounds {
  maxRows: number;
  /** Its bytes; a single row may have more. */
  maxBytes: number;
}

/** A page of a result. */
export interface ResultPage {
  columns: ResultColumn[];
  rowCount: number;
  /** Its first rows. */
  rows: Cells[];
  /** The rows after them, which are read from the store while they are written; null if there are none. */
  more: StoredPart | null;
  nextCursor: string | null;
}

/** Stored rows of a page. */
export interface StoredPart {
  batches: AsyncIterable<Cells[]>;
  /** Deletes the rows if no cursor leads to them. */
  close(): Promise<void>;
}

interface Piece {
  /** The places of its first and last byte in the blob. */
  start: number;
  end: number;
  rows: number;
}

/** Rows of a result, stored in sealed pieces. */
interface StoredRows {
  id: string;
  blobKey: string;
  pieces: Piece[];
}

/** Stores rows of a result, in constant memory. */
export async function storeRows(
  accountId: string,
  rest: AsyncIterable<Cells[]>,
): Promise<StoredRows & { rowCount: number }> {
  const id = newUuid();
  const pieces: Piece[] = [];
  const blob = await writeBlob(sealedPieces(id, rest, pieces), {
    accountId,
    kind: "results",
    minutes: SPOOL_MINUTES + 1,
  });
  return { id, blobKey: blob.key, pieces, rowCount: pieces.reduce((sum, { rows }) => sum + rows, 0) };
}

/** Keeps stored rows for the cursors of their result. */
export async function keepRows(
  db: Db,
  { accountId, fingerprint }: Execution,
  columns: ResultColumn[],
  stored: Awaited<ReturnType<typeof storeRows>>,
): Promise<void> {
  const expiresAt = sql`clock_timestamp() + ${SPOOL_MINUTES} * interval '1 minute'`;
  await db
    .insert(databaseResults)
    .values({ accountId, fingerprint: fingerprint(), columns, expiresAt, ...stored });
}

/** Returns stored rows for a page; `isLast` if no cursor leads to them. */
export function partOf(
  accountId: string,
  stored: StoredRows,
  { from, count, isLast = false }: { from: number; count: number; isLast?: boolean },
): StoredPart {
  return {
    batches: readRows(accountId, stored, from, count),
    close: async () => {
      if (isLast) await removeBlob(stored.blobKey);
    },
  };
}

/** Reads stored rows, piece by piece. */
async function* readRows(
  accountId: string,
  { id, blobKey, pieces }: StoredRows,
  from: number,
  count: number,
): AsyncGenerator<Cells[]> {
  let skip = from;
  let missing = count;
  for (const [place, piece] of pieces.entries()) {
    if (missing === 0) return;
    if (skip >= piece.rows) {
      skip -= piece.rows;
      continue;
    }
    const sealed = await readPiece(blobKey, piece);
    await resultTurn(accountId);
    const rows = openPiece(sealed, context(id, place)).slice(skip, skip + missing);
    skip = 0;
    missing -= rows.length;
    yield rows;
  }
}

async function* sealedPieces(
  id: string,
  rest: AsyncIterable<Cells[]>,
  pieces: Piece[],
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
      const bytes = sizeOfRow(cells);
      if (buffered.length > 0 && heldBytes + bytes > PIECE_BYTES) yield inSlice(seal);
      buffered.push(cells);
      heldBytes += bytes;
    }
  if (buffered.length > 0) yield inSlice(seal);
}

/** Reads the next page of a stored result: up to `maxRows` rows within a response's size. */
export async function readSpool(
  db: Db,
  { accountId, fingerprint }: Execution,
  cursor: string,
  { maxRows, maxBytes }: PageBounds,
): Promise<ResultPage> {
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
  const { columns, pieces, blobKey } = result;
  const rowCount = rowsOfPage(pieces, from, { maxRows, maxBytes });
  const { batches, close } = partOf(accountId, { id, blobKey, pieces }, { from, count: rowCount });
  // Read at once: if it is gone, the response says so.
  const { value: rows = [] } = await batches[Symbol.asyncIterator]().next();
  const next = from + rowCount;
  return {
    columns,
    rowCount,
    rows,
    more: rows.length < rowCount ? { batches, close } : null,
    nextCursor: next < result.rowCount ? cursorOf(id, next) : null,
  };
}

/** Returns how many rows a page has: whole pieces up to a response's size, or up to `maxRows` rows. */
function rowsOfPage(pieces: readonly Piece[], from: number, { maxRows, maxBytes }: PageBounds): number {
  let rows = 0;
  let bytes = 0;
  let skip = from;
  for (const piece of pieces) {
    if (skip >= piece.rows) {
      skip -= piece.rows;
      continue;
    }
    bytes += piece.end + 1 - piece.start;
    if (rows > 0 && bytes > maxBytes) break;
    rows += piece.rows - skip;
    skip = 0;
    if (rows >= maxRows) return maxRows;
  }
  return rows;
}

async function readPiece(blobKey: string, piece: Piece): Promise<Uint8Array> {
  return new Uint8Array(await new Response(await readBlob(blobKey, piece)).arrayBuffer());
}

function openPiece(sealed: Uint8Array, sealedFor: string): Cells[] {
  return inSlice(() => {
    const plain = openFor(platform().settings.sealingKeys, sealedFor, sealed);
    if (!plain) throw expired();
    return JSON.parse(new TextDecoder().decode(plain));
  });
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

/** Returns the cursor of a stored row, by its place. */
export function cursorOf(id: string, row: number): string {
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
