import type { Db } from "#db/client.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import type { TenantSession } from "#server/providers/tenants/sessions.ts";
import {
  cursorOf,
  type Execution,
  keepRows,
  type PageBounds,
  partOf,
  type ResultPage,
  storeRows,
} from "./result-spool.ts";
import { DATABASE_LIMITS } from "./schema.ts";
import { rowTooLarge } from "./sql-faults.ts";
import { type Batches, type Cells, type ResultColumn, resolveColumns, sizeOfRow } from "./statement.ts";

/** The bytes of a page that are held in memory until its client has read them; the rest of a page is stored. */
const HELD_BYTES = 1_048_576;

interface PageFormat extends PageBounds {
  rowMode: "array" | "object";
}

/** Reads a result to its end, in constant memory: returns the first page, and a cursor to the rest. */
export async function readResult(
  db: Db,
  session: TenantSession,
  execution: Execution,
  { maxRows, maxBytes, rowMode }: PageFormat,
  batches: Batches,
): Promise<ResultPage> {
  const { accountId } = execution;
  const rows: Cells[] = [];
  let rowCount = 0;
  let columns: ResultColumn[] = [];

  /** Fills the beginning of the page, and yields the rows after it. */
  async function* overflow(): AsyncGenerator<Cells[]> {
    let bytes = 0;
    try {
      let next = await batches.next();
      for (; !next.done; next = await batches.next()) {
        const over: Cells[] = [];
        for (const cells of next.value) {
          bytes += boundedSize(cells, bytes);
          if (rowCount === 0 && bytes > maxBytes) throw rowTooLarge(bytes, { most: maxBytes });
          const inPage = rowCount < maxRows && bytes <= maxBytes;
          if (inPage) rowCount += 1;
          (inPage && bytes <= HELD_BYTES ? rows : over).push(cells);
        }
        if (over.length > 0) yield over;
      }
      columns = await resolveColumns(session, next.value);
      if (rowMode === "object") refuseDuplicates(columns);
    } finally {
      await batches.return(undefined as never);
    }
  }

  const rest = overflow();
  const first = await rest.next();
  if (first.done) return { columns, rowCount, rows, more: null, nextCursor: null };
  const stored = await storeRows(accountId, following(first.value, rest)).finally(() =>
    rest.return(undefined),
  );
  const missing = rowCount - rows.length;
  const isLast = missing === stored.rowCount;
  if (!isLast) await keepRows(db, execution, columns, stored);
  return {
    columns,
    rowCount,
    rows,
    more: missing > 0 ? partOf(accountId, stored, { from: 0, count: missing, isLast }) : null,
    nextCursor: isLast ? null : cursorOf(stored.id, missing),
  };
}

async function* following(first: Cells[], rest: AsyncGenerator<Cells[]>): AsyncGenerator<Cells[]> {
  yield first;
  yield* rest;
}

/** Returns a row's size. Refuses a row too large for any response, and a result too large to store. */
function boundedSize(cells: Cells, before: number): number {
  const bytes = sizeOfRow(cells);
  if (bytes > DATABASE_LIMITS.maximumAnswerBytes) throw rowTooLarge(bytes);
  if (before + bytes <= DATABASE_LIMITS.maximumResultBytes) return bytes;
  const text = `The result has more than ${DATABASE_LIMITS.maximumResultBytes} bytes. Select less, or export the database.`;
  throw new ApiError("query_limit_exceeded", text);
}

function refuseDuplicates(columns: readonly ResultColumn[]): void {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined)
    throw invalid(
      "body.rowMode",
      `Two columns are called ${twice}; an object has room for one. Name them apart.`,
    );
}
