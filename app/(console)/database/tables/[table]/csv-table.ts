import type { CsvFault, CsvRow } from "#app/(console)/database/tables/[table]/parse-csv.ts";
import type { Table } from "#app/(console)/database/tables/[table]/row-query.ts";
import { quoteIdentifier } from "#server/base/quote-identifier.ts";

/** The maximum of rows in one import. */
const MAX_ROWS = 100_000;
/** The maximum of faults shown. */
const MAX_FAULTS = 20;

/** Rows of a file, with the table columns they are for. */
export type CsvTable = { columns: Table["columns"]; rows: CsvRow[] };

/** Returns the faults of a file that can be found without the database. */
export function faultsOfForm(
  { columns: known, name }: Table,
  [head, ...rows]: readonly CsvRow[],
): CsvFault[] {
  if (!head || rows.length === 0)
    return [{ line: 1, column: null, message: "The file has a line with the columns' names, then rows." }];
  if (rows.length > MAX_ROWS)
    return [
      { line: 1, column: null, message: `The file has ${rows.length} rows; one import takes ${MAX_ROWS}.` },
    ];
  const names = head.cells.map((cell) => cell ?? "");
  const faults: CsvFault[] = [];
  for (const [place, column] of names.entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const fault = (message: string) => faults.push({ line: head.line, column, message });
    if (!known.some((each) => each.name === column))
      fault(`${name} has no such column; it has ${known.map((each) => each.name).join(", ")}.`);
    else if (names.indexOf(column) !== place) fault("The file has this column twice.");
  }
  for (const { name: column, nullable, default: byDefault } of known)
    if (!nullable && byDefault === null && !names.includes(column))
      faults.push({
        line: head.line,
        column,
        message: "The file lacks this column, which takes no null and has no default.",
      });
  for (const { line, cells } of rows) {
    if (faults.length >= MAX_FAULTS) break;
    if (cells.length !== names.length)
      faults.push({
        line,
        column: null,
        message: `The line has ${cells.length} values; the first line names ${names.length} columns.`,
      });
    for (const [place, column] of names.entries())
      if (cells[place] === null && known.some((each) => each.name === column && !each.nullable))
        faults.push({ line, column, message: "The value is empty, and the column takes no null." });
  }
  return faults.slice(0, MAX_FAULTS);
}

/** Converts the rows to the table's columns; requires a file without such faults. */
export function toCsvTable({ columns }: Table, [head, ...rows]: readonly CsvRow[]): CsvTable {
  const named = (head?.cells ?? []).flatMap((cell) => columns.filter(({ name }) => name === cell));
  return { columns: named, rows };
}

/** Returns a type without its modifiers: PostgreSQL checks their limits when it inserts, and a cast would truncate. */
const baseOf = (type: string) => quoteIdentifier(type.replace(/\(.*$/, ""));
const typeOf = (type: string) => baseOf(type) + (/\(.*$/.exec(type)?.[0] ?? "");

const TEXTS = new Set(["text", "name"]);

/**
 * Returns a query that finds values which their columns' types do not accept, by PostgreSQL's own parsing; null if all
 * columns are text.
 */
export function typeCheck({ columns, rows }: CsvTable) {
  const params: unknown[] = [];
  const checks = columns.flatMap(({ type }, place) => {
    if (TEXTS.has(type)) return [];
    const values = `$${params.push(rows.map(({ cells }) => cells[place]))}::text[]`;
    const against = `$${params.push(typeOf(type))}`;
    return [
      `(select ${place} as place, v.number, e.message
        from unnest(${values}) with ordinality v(value, number), pg_input_error_info(v.value, ${against}) e
        where e.message is not null order by v.number limit ${MAX_FAULTS})`,
    ];
  });
  if (checks.length === 0) return null;
  return {
    sql: `select * from (${checks.join(" union all ")}) found order by number, place limit ${MAX_FAULTS}`,
    params,
  };
}

/** Returns the faults that the query has found. */
export function faultsOfTypes({ columns, rows }: CsvTable, found: readonly unknown[]): CsvFault[] {
  return (found as [number, string, string][]).map(([place, number, message]) => ({
    line: rows[Number(number) - 1]?.line ?? 0,
    column: columns[place]?.name ?? null,
    message: `${message}.`,
  }));
}

/** Returns the action that inserts these rows. */
export function insertOf(table: string, { columns, rows }: CsvTable) {
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ");
  const values = columns.map(({ type }, place) => `r.c${place}::${baseOf(type)}`).join(", ");
  const lists = columns.map((_, place) => `$${place + 1}::text[]`).join(", ");
  const aliases = columns.map((_, place) => `c${place}`).join(", ");
  return {
    type: "sql" as const,
    sql: `insert into public.${quoteIdentifier(table)} (${names}) select ${values} from unnest(${lists}) as r(${aliases})`,
    params: columns.map((_, place) => rows.map(({ cells }) => cells[place])),
    expectedRows: rows.length,
  };
}

/** Returns the columns of a constraint, of which PostgreSQL's message has only the name. */
export function columnsOfConstraint({ indexes, foreignKeys }: Table, message: string): string | null {
  const name = /constraint "(.+)"/.exec(message)?.[1] ?? /column "(.+)" of relation/.exec(message)?.[1];
  const found = [...indexes, ...foreignKeys].find((each) => each.name === name);
  return (
    found?.columns.join(", ") ?? (message.includes(`column "${name}" of relation`) ? (name ?? null) : null)
  );
}
