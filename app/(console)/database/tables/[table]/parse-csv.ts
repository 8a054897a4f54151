/** A fault of a file, and where it is. */
export type CsvFault = { line: number; column: string | null; message: string };

/** A row, and the line of the file on which it begins. An empty cell without quotes is null. */
export type CsvRow = { line: number; cells: (string | null)[] };

/** Thrown if a text is not valid CSV. */
export class BrokenCsv extends Error {
  readonly fault: CsvFault;

  constructor(line: number, message: string) {
    super(message);
    this.fault = { line, column: null, message };
  }
}

/** Returns the separator that is most frequent in the first line: a comma, semicolon or tab. */
function separatorOf(text: string): string {
  const [head = ""] = text.split(/[\r\n]/, 1);
  const unquoted = head.replace(/"[^"]*"/g, "");
  const counted = [",", ";", "\t"].map((each) => [unquoted.split(each).length, each] as const);
  return counted.reduce((most, next) => (next[0] > most[0] ? next : most))[1];
}

/** Parses rows by RFC 4180; skips empty lines. Throws `BrokenCsv`. */
export function parseCsv(text: string): CsvRow[] {
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;

  function readQuoted(): string {
    const start = line;
    let value = "";
    for (at += 1; ; at++) {
      if (at >= text.length) throw new BrokenCsv(start, "The quotation mark that opens a value has no end.");
      const letter = text.charAt(at);
      if (letter === "\n") line += 1;
      if (letter !== '"') value += letter;
      else if (text[at + 1] === '"') {
        value += letter;
        at += 1;
      } else break;
    }
    at += 1;
    const next = text[at];
    if (next !== undefined && next !== separator && next !== "\r" && next !== "\n")
      throw new BrokenCsv(line, `After a quoted value comes ${next}, not the next value.`);
    return value;
  }

  function readCell(): string | null {
    if (text[at] === '"') return readQuoted();
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n") at += 1;
    return at === start ? null : text.slice(start, at);
  }

  while (at < text.length) {
    const row: CsvRow = { line, cells: [readCell()] };
    while (text[at] === separator) {
      at += 1;
      row.cells.push(readCell());
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    line += 1;
    if (row.cells.length > 1 || row.cells[0] !== null) rows.push(row);
  }
  return rows;
}
