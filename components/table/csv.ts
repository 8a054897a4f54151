/** The maximum of rows in an export. */
export const MAX_EXPORTED = 100_000;

/** A column of an export: `{ header: "Label", value: (key) => key.label }`. */
export type CsvColumn<Row> = {
  header: string;
  value: (row: Row) => string | number | null | undefined;
  /** True if texts of the column may begin with a sign, and are never formulas: of a numeric type, for example. */
  signed?: boolean;
};

/**
 * Returns rows as CSV (RFC 4180) that is safe to open in Excel: with a byte order mark, and without cells that it would
 * read as formulas. An empty text is `""`; null is an empty cell.
 */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ header }) => cellOf(header)),
    ...rows.map((row) => columns.map(({ value, signed }) => cellOf(value(row), signed))),
  ];
  return `\uFEFF${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

/** The texts that a spreadsheet reads as numbers, not as formulas. */
const NUMBER = /^-?\d+(\.\d+)?$/;

function cellOf(value: string | number | null | undefined, signed = false): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const mayBeFormula = !signed && /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value);
  const text = mayBeFormula ? `'${value}` : value;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
