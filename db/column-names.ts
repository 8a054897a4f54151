import { getTableColumns, type Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";

/**
 * Returns the database's name of each column of a table, by its property name. Call it once per table: computing
 * names is slow.
 */
export function columnNames(table: Table): Record<string, string> {
  return Object.fromEntries(Object.keys(getTableColumns(table)).map((key) => [key, toSnakeCase(key)]));
}
