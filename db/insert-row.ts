import { type Column, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { columnNames } from "./column-names.ts";

/** Returns a function that writes rows of a table as JSON, by the names of its columns and without nulls. */
export function rowWriter<Table extends PgTable>(table: Table): (row: Table["$inferInsert"]) => string {
  const names = columnNames(table);
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated);
  return (row: Record<string, unknown>) => {
    const set = columns.filter(([key]) => row[key] !== null && row[key] !== undefined);
    return JSON.stringify(
      Object.fromEntries(set.map(([key, column]) => [names[key], storedValue(column, row[key])])),
    );
  };
}

function storedValue(column: Column, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return column.dataType === "json" ? value : column.mapToDriverValue(value);
}

/**
 * Returns a function that inserts a row of a table, as a statement of a batch; its result is false where another row has
 * one of its unique values.
 */
export function rowInserter<Table extends PgTable>(table: Table): (row: Table["$inferInsert"]) => SQL {
  const write = rowWriter(table);
  const name = getTableName(table);
  return (row) => sql`insert_row(${name}::regclass, ${write(row)}::jsonb)`;
}
