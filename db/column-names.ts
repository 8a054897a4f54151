import { getTableColumns, type Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";

/** What the database calls each of a table's columns, by the program's name. To be asked once: making names takes a while. */
export function columnNames(table: Table): Record<string, string> {
  return Object.fromEntries(Object.keys(getTableColumns(table)).map((key) => [key, toSnakeCase(key)]));
}
