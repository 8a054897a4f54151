import { quoteIdentifier } from "#server/base/quote-identifier.ts";
import type { Action } from "./schema.ts";

/** A statement of an action. */
export interface ActionStatement {
  sql: string;
  params: unknown[];
}

/** PostgreSQL takes at most 65,535 parameters in one statement. */
const MAX_PARAMS = 60_000;

const list = (names: readonly string[]) => names.map(quoteIdentifier).join(", ");
const table = (name: string) => `public.${quoteIdentifier(name)}`;

/**
 * Yields the statements of an action, in order. An insert of many rows has several, which together are many times as
 * long as the body: each names all columns.
 */
export function* statementsOf(action: Action): Generator<ActionStatement> {
  switch (action.type) {
    case "sql":
      yield { sql: action.sql, params: action.params };
      break;
    case "table.create":
      yield { sql: createTable(action), params: [] };
      break;
    case "table.drop":
      yield { sql: `drop table ${table(action.table)}`, params: [] };
      break;
    case "rows.insert":
      yield* insertRows(action.table, action.rows, "");
      break;
    case "rows.upsert":
      yield* insertRows(action.table, action.rows, onConflict(action.rows, action.conflictColumns));
      break;
    case "rows.update": {
      const params: unknown[] = [];
      const set = Object.entries(action.set).map(
        ([name, value]) => `${quoteIdentifier(name)} = $${params.push(value)}`,
      );
      const where = condition(action.where, params);
      yield { sql: `update ${table(action.table)} set ${set.join(", ")} where ${where}`, params };
      break;
    }
    case "rows.delete": {
      const params: unknown[] = [];
      yield { sql: `delete from ${table(action.table)} where ${condition(action.where, params)}`, params };
    }
  }
}

function createTable({
  table: name,
  columns,
  primaryKey,
}: Extract<Action, { type: "table.create" }>): string {
  const lines = columns.map((column) => {
    const start = column.default === undefined ? "" : ` default ${column.default}`;
    return `${quoteIdentifier(column.name)} ${column.type}${column.nullable ? "" : " not null"}${start}`;
  });
  if (primaryKey) lines.push(`primary key (${list(primaryKey)})`);
  return `create table ${table(name)} (\n  ${lines.join(",\n  ")}\n)`;
}

function columnsOf(rows: readonly Record<string, unknown>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function* insertRows(
  name: string,
  rows: readonly Record<string, unknown>[],
  suffix: string,
): Generator<ActionStatement> {
  const columns = columnsOf(rows);
  if (columns.length === 0) {
    const sql = `insert into ${table(name)} default values${suffix}`;
    for (let left = rows.length; left > 0; left--) yield { sql, params: [] };
    return;
  }
  const most = Math.floor(MAX_PARAMS / columns.length);
  for (let start = 0; start < rows.length; start += most) {
    const params: unknown[] = [];
    const values = rows.slice(start, start + most).map((row) => {
      const cells = columns.map((column) =>
        Object.hasOwn(row, column) ? `$${params.push(row[column])}` : "default",
      );
      return `(${cells.join(", ")})`;
    });
    const sql = `insert into ${table(name)} (${list(columns)}) values ${values.join(", ")}${suffix}`;
    yield { sql, params };
  }
}

function onConflict(rows: readonly Record<string, unknown>[], conflictColumns: readonly string[]): string {
  const changed = columnsOf(rows).filter((name) => !conflictColumns.includes(name));
  const set = changed
    .map((name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`)
    .join(", ");
  return ` on conflict (${list(conflictColumns)}) do ${set ? `update set ${set}` : "nothing"}`;
}

function condition(where: Record<string, unknown>, params: unknown[]): string {
  const parts = Object.entries(where).map(([name, value]) =>
    value === null ? `${quoteIdentifier(name)} is null` : `${quoteIdentifier(name)} = $${params.push(value)}`,
  );
  return parts.join(" and ");
}
