/** The maximum of rows in an export. */
export const MOST_EXPORTED = 100_000;

/** A column of an export: `{ header: "Label", value: (key) => key.label }`. */
export type CsvColumn<Row> = {
  header: string;
  value: (row: Row) => string | number | null | undefined;
};

/**
 * Returns rows as CSV (RFC 4180) that is safe to open in Excel: with a byte order mark, and without cells that it would
 * read as formulas.
 */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ];
  return `\uFEFF${lines.map((line) => line.map(cellOf).join(",")).join("\r\n")}\r\n`;
}

/** The texts that a spreadsheet reads as numbers, not as formulas. */
const NUMBER = /^-?\d+(\.\d+)?$/;

function cellOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
