import { defined } from "#server/base/defined.ts";
import { type Replacement, replaceCharacters } from "#server/base/long-text.ts";
import { parseExactly } from "#server/operation/exact-numbers.ts";
import type { ResultColumn } from "../statement.ts";
import { encodeValue, holdsJson } from "../values.ts";
import { EXACT } from "./exact-text.ts";

const LINE_END = 10;
/** The bytes of a table's rows that are read at once. */
const MAX_BYTES = 262_144;

const ESCAPES: readonly Replacement[] = [
  [/\\/g, "\\\\"],
  [/\n/g, "\\n"],
  [/\r/g, "\\r"],
  [/\t/g, "\\t"],
];

/** Yields rows as in an archive, a JSON object per line, from the text of COPY, each value by its column's type. */
export async function* copyLines(
  content: AsyncIterable<Uint8Array>,
  columns: readonly ResultColumn[],
): AsyncGenerator<Uint8Array> {
  const parse = columns.some(({ type }) => holdsJson(type)) ? parseExactly : JSON.parse;
  for await (const lines of wholeLines(content)) {
    const rows: Record<string, unknown>[] = parse(`[${lines.toString().replaceAll("\n", ",")}]`);
    let text = "";
    for (const row of rows) text += copyLine(row, columns);
    yield Buffer.from(text);
  }
}

// Plain loops: a table may have millions of rows.
function copyLine(row: Record<string, unknown>, columns: readonly ResultColumn[]): string {
  const exact = row[EXACT] as Record<string, string> | undefined;
  let line = "";
  for (let place = 0; place < columns.length; place++) {
    const { name, type } = defined(columns[place]);
    const text = exact?.[name] ?? encodeValue(type, row[name] ?? null);
    if (place > 0) line += "\t";
    line += text === null ? "\\N" : /[\\\n\r\t]/.test(text) ? replaceCharacters(text, ESCAPES) : text;
  }
  return `${line}\n`;
}

/** Yields the content split after line ends; the last one of each piece is left out. */
export async function* wholeLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let buffered: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    buffered.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < MAX_BYTES || !chunk.includes(LINE_END)) continue;
    const all = Buffer.concat(buffered);
    const end = all.lastIndexOf(LINE_END);
    buffered = [all.subarray(end + 1)];
    bytes = all.length - end - 1;
    yield all.subarray(0, end);
  }
  const last = Buffer.concat(buffered);
  const whole = last.at(-1) === LINE_END ? last.subarray(0, -1) : last;
  if (whole.length > 0) yield whole;
}
