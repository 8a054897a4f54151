import { defined } from "#server/base/defined.ts";
import type { SerializedParts } from "#server/operation/serialized-result.ts";
import type { ResultPage } from "./result-spool.ts";
import { inSlice, resultTurn } from "./result-turns.ts";
import type { Cells } from "./statement.ts";

/** The characters of rows that are written in one slice. */
const SLICE_CHARACTERS = 64 * 1024;

/** Writes a row as JSON. */
type Write = (cells: Cells) => string;

/** Returns a page's rows as a JSON list; a long one is written in slices while it is read. */
export function writeRows(
  { rows, more }: Pick<ResultPage, "rows" | "more">,
  write: Write,
  accountId: string,
): string | SerializedParts {
  const first = writeSlice(rows, 0, write);
  if (more === null && first.next === rows.length) return `[${first.json}]`;
  return {
    parts: slicesOf(rows, more?.batches ?? [], first, write, accountId),
    close: async () => more?.close(),
  };
}

/** Returns all of the rows as one JSON list, for a transport that does not send parts. */
export async function writeWhole(rows: string | SerializedParts): Promise<string> {
  if (typeof rows === "string") return rows;
  try {
    let whole = "";
    for await (const part of rows.parts) whole += part;
    return whole;
  } finally {
    await rows.close();
  }
}

interface Slice {
  json: string;
  /** The place of the first row after it. */
  next: number;
}

function writeSlice(rows: readonly Cells[], from: number, write: Write): Slice {
  let json = "";
  let next = from;
  for (; next < rows.length && json.length < SLICE_CHARACTERS; next++)
    json += (next === from ? "" : ",") + write(defined(rows[next]));
  return { json, next };
}

async function* slicesOf(
  rows: readonly Cells[],
  more: AsyncIterable<Cells[]> | Iterable<Cells[]>,
  first: Slice,
  write: Write,
  accountId: string,
): AsyncGenerator<string> {
  let separator = first.next === 0 ? "" : ",";

  async function* slices(batch: readonly Cells[], from: number) {
    for (let next = from; next < batch.length; separator = ",") {
      await resultTurn(accountId);
      const slice = inSlice(() => writeSlice(batch, next, write));
      yield `${separator}${slice.json}`;
      next = slice.next;
    }
  }

  yield `[${first.json}`;
  yield* slices(rows, first.next);
  for await (const batch of more) yield* slices(batch, 0);
  yield "]";
}
