type Row = Record<string, unknown>;
export type Format = "table" | "json" | "csv";

const FIRST = ["id", "name", "label", "type", "status"];
const WIDEST = 48;
const GAP = "  ";

/** Writes to standard output. If the reader has closed it, the program ends silently, as `head` expects. */
export function print(text: string): void {
  process.stdout.write(text);
}

/** Writes bytes to standard output, no faster than the reader takes them. */
export async function printBytes(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks)
    if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}

/** Writes to standard error, for people. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** Removes control characters, which a terminal would obey, from received text. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => (found === "\n" ? " " : "\ufffd"));
}

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null;

/** Formats a value for a table's cell. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return plainText(isRow(value) ? JSON.stringify(value) : String(value));
}

/** Writes the rows of a list; as JSON, one per line. */
export function printRows(
  rows: readonly Row[],
  format: Format,
  columns?: readonly string[],
  { heading = true } = {},
): void {
  if (format === "json") print(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  else if (format === "csv") print(csvOf(rows, columns ?? columnsOf(rows), heading));
  else print(tableOf(rows, columns));
}

/** Writes one resource: a line per field, or JSON. */
export function printOne(value: unknown, format: Format): void {
  if (format === "csv" && isRow(value)) printRows([value], format, Object.keys(value));
  else if (format === "json" || !isRow(value) || Array.isArray(value))
    print(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`);
  else {
    const entries = Object.entries(value);
    const width = Math.max(0, ...entries.map(([name]) => name.length));
    print(entries.map(([name, one]) => `${name.padEnd(width)}${GAP}${cellOf(one)}`.trimEnd()).join("\n"));
    print("\n");
  }
}

/** Returns the columns that distinguish the rows: scalars, the most distinctive first. */
function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const scalar = names.filter((name) => !rows.some((row) => isRow(row[name])));
  const telling = scalar.filter((name) => rows.some((row) => row[name] !== null && row[name] !== undefined));
  return [
    ...FIRST.filter((name) => telling.includes(name)),
    ...telling.filter((name) => !FIRST.includes(name)),
  ];
}

/** Formats a table of these columns at full width; without them, of the columns that fit. */
function tableOf(rows: readonly Row[], columns: readonly string[] | undefined): string {
  const room = columns ? Number.POSITIVE_INFINITY : (process.stdout.columns ?? 120);
  const shown: { width: number; cells: string[] }[] = [];
  let used = 0;
  for (const name of columns ?? columnsOf(rows)) {
    const texts = rows.map((row) => cellOf(row[name]));
    const cells = [name.toUpperCase(), ...(columns ? texts : texts.map(cut))];
    const width = Math.max(...cells.map((cell) => cell.length));
    if (shown.length > 0 && used + width > room) break;
    shown.push({ width, cells });
    used += width + GAP.length;
  }
  const lines = ["", ...rows].map((_, nth) =>
    shown
      .map(({ width, cells }) => (cells[nth] ?? "").padEnd(width))
      .join(GAP)
      .trimEnd(),
  );
  return rows.length === 0 ? "" : `${lines.join("\n")}\n`;
}

const cut = (text: string) => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);

function csvOf(rows: readonly Row[], columns: readonly string[], heading: boolean): string {
  const lines = [...(heading ? [columns] : []), ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

function quoted(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = isRow(value) ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
