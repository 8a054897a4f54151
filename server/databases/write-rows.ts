import { defined } from "#server/defined.ts";
import type { ResultPage } from "./result-spool.ts";
import { inSlice, resultTurn } from "./result-turns.ts";
import type { Cells } from "./statement.ts";

/** The characters of rows that are written in one slice. */
const SLICE_CHARACTERS = 64 * 1024;

/** Writes a row as JSON. */
type Write = (cells: Cells) => string;

/** Returns a page's rows as a JSON list; a long one is written in slices while it is read. */
export function writeRows(
  page: Pick<ResultPage, "rows" | "more">,
  write: Write,
  accountId: string,
): string | AsyncIterable<string> {
  const first = writeSlice(page.rows, 0, write);
  return page.more === null && first.next === page.rows.length
    ? `[${first.json}]`
    : slicesOf(page, first, write, accountId);
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
  { rows, more }: Pick<ResultPage, "rows" | "more">,
  first: Slice,
  write: Write,
  accountId: string,
): AsyncGenerator<string> {
  async function* slices(batch: readonly Cells[], from: number) {
    for (let next = from; next < batch.length; ) {
      await resultTurn(accountId);
      const slice = inSlice(() => writeSlice(batch, next, write));
      yield `,${slice.json}`;
      next = slice.next;
    }
  }

  yield `[${first.json}`;
  yield* slices(rows, first.next);
  for await (const batch of more ?? []) yield* slices(batch, 0);
  yield "]";
}
