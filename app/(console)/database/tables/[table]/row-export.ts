import { clausesOf, type Row, shown, type View } from "#app/(console)/database/tables/[table]/row-query.ts";
import { type CsvColumn, MAX_EXPORTED } from "#components/table/csv.ts";
import { quoteIdentifier } from "#server/base/quote-identifier.ts";

/** The rows that an export reads at once, and the time limit for the statement. */
const EXPORT_PAGE = 1000;
const EXPORT_MS = 60_000;

const JSONS = /^_?jsonb?$/;
/** The types whose texts may begin with a sign, and are no formulas. */
const SIGNED = /^(float[48]|numeric|money|interval|date|timestamp(tz)?)(\(|$)/;

/** Returns the statement that reads all columns of all rows for an export, and one row more than a file takes. */
export function exportOf(view: View) {
  const { source, order, params } = clausesOf(view);
  const columns = view.table.columns.map(readOf).join(", ");
  const sql = `select ${columns || "*"} ${source}${order} limit ${MAX_EXPORTED + 1}`;
  return { sql, params, maxRows: EXPORT_PAGE, timeoutMs: EXPORT_MS };
}

/**
 * Reads JSON as text, because the browser's parser loses digits. Unlike a cast, `to_json` does not name its result like
 * the column, whose own values the order means.
 */
function readOf({ name, type }: View["table"]["columns"][number]): string {
  const column = quoteIdentifier(name);
  return JSONS.test(type) ? `to_json(${column})::text` : column;
}

/** Returns the columns of an export's file, from their names and their types' names in `pg_type`. */
export function exportedColumns(columns: readonly { name: string; type: string }[]): CsvColumn<Row>[] {
  return columns.map(({ name, type }, place) => ({
    header: name,
    value: (row) => exported(row[place]),
    signed: SIGNED.test(type),
  }));
}

/** Formats a value for an export; NULL is an empty cell. */
const exported = (value: unknown) => (value === null || typeof value === "number" ? value : shown(value));
