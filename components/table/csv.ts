/** A column of an export: `{ header: "Label", value: (key) => key.label }`. */
export type CsvColumn<Row> = {
  header: string;
  value: (row: Row) => string | number | null | undefined;
};

/** Rows as RFC 4180 has them, for Excel too: with a byte order mark, and nothing that it would take for a formula. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ];
  return `\uFEFF${lines.map((line) => line.map(cellOf).join(",")).join("\r\n")}\r\n`;
}

/** What a spreadsheet reads as a number of its own, not as a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;

function cellOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
