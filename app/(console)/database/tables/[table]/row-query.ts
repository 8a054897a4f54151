import type { useDatabase } from "#app/(console)/database/use-database.ts";
import { quoteIdentifier } from "#server/base/quote-identifier.ts";

export type Database = NonNullable<ReturnType<typeof useDatabase>["database"]>;
export type Table = Database["tables"][number];
export type Row = unknown[];

export const operators = [
  { value: "eq", label: "is" },
  { value: "ne", label: "is not" },
  { value: "contains", label: "contains" },
  { value: "lt", label: "is less than" },
  { value: "le", label: "is at most" },
  { value: "gt", label: "is more than" },
  { value: "ge", label: "is at least" },
  { value: "null", label: "is null" },
  { value: "notnull", label: "is not null" },
] as const;

export type Operator = (typeof operators)[number]["value"];
export type Filter = { column: string; operator: Operator; value: string };
export type Sort = { column: string; descending: boolean };

/** The rows and columns of a table to read, and their order. */
export type View = { table: Table; filters: readonly Filter[]; sort: Sort | null; hidden: readonly string[] };

/** The start of a page: after a row's key or, in a table without a primary key, after a number of rows. */
export type After = { key: unknown[]; sorted: unknown } | number | null;

export const PAGE = 50;

const comparisons: Partial<Record<Operator, string>> = { lt: "<", le: "<=", gt: ">", ge: ">=", eq: "=" };

/** True if the operator compares with a value. */
export const takesValue = (operator: Operator) => operator !== "null" && operator !== "notnull";

export const shownColumns = ({ table, hidden }: View) =>
  table.columns.filter(({ name }) => !hidden.includes(name));

/**
 * Returns the columns to read, in order: the shown ones, those that identify and order rows and, if rows can be
 * identified, the version of each row.
 */
function readColumns(view: View): string[] {
  const { table, sort } = view;
  const names = shownColumns(view).map(({ name }) => name);
  const versions = table.primaryKey.length > 0 ? ["xmin"] : [];
  return [...new Set([...names, ...table.primaryKey, ...(sort ? [sort.column] : []), ...versions])];
}

/** Returns the statement that reads a page. It names its columns, so that a column added meanwhile shifts nothing. */
export function pageOf(view: View, after: After) {
  const { source, order, params } = clausesOf(view, after);
  const offset = typeof after === "number" ? ` offset ${after}` : "";
  return {
    sql: `select ${listed(readColumns(view)) || "*"} ${source}${order} limit ${PAGE}${offset}`,
    params,
    maxRows: PAGE,
  };
}

/** Returns the statement that counts the rows up to a limit. */
export function countOf(view: View, limit: number) {
  const { source, params } = clausesOf(view);
  return { sql: `select count(*) from (select ${source} limit ${limit}) as counted`, params };
}

/** Returns the statement whose plan estimates the number of rows. */
export function estimateOf(view: View) {
  const { source, params } = clausesOf(view);
  return { sql: `explain (format json) select ${source}`, params };
}

const listed = (names: readonly string[]) => names.map(quoteIdentifier).join(", ");

/** Returns the clauses that select and order a view's rows, and their parameters. */
export function clausesOf(view: View, after: After = null) {
  const { table, filters, sort } = view;
  const params: unknown[] = [];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const conditions = filters.map((filter) => conditionOf(filter, bind));
  if (after !== null && typeof after === "object") conditions.push(beyond(view, after, bind));
  const order = [
    ...(sort ? [`${quoteIdentifier(sort.column)} ${sort.descending ? "desc" : "asc"} nulls last`] : []),
    ...table.primaryKey.map(quoteIdentifier),
  ];
  const where = conditions.length > 0 ? ` where ${conditions.join(" and ")}` : "";
  return {
    source: `from public.${quoteIdentifier(table.name)}${where}`,
    order: order.length > 0 ? ` order by ${order.join(", ")}` : "",
    params,
  };
}

function conditionOf({ column, operator, value }: Filter, bind: (value: unknown) => string): string {
  const name = quoteIdentifier(column);
  if (operator === "null") return `${name} is null`;
  if (operator === "notnull") return `${name} is not null`;
  if (operator === "contains") return `strpos(lower(${name}::text), lower(${bind(value)})) > 0`;
  return `${name} ${comparisons[operator] ?? "is distinct from"} ${bind(value)}`;
}

/** Returns the condition for the rows after this one; null values come last. */
function beyond(
  { table, sort }: View,
  { key, sorted }: Exclude<After, number | null>,
  bind: (value: unknown) => string,
): string {
  const behind = () =>
    `(${table.primaryKey.map(quoteIdentifier).join(", ")}) > (${key.map(bind).join(", ")})`;
  if (!sort) return behind();
  const name = quoteIdentifier(sort.column);
  if (sorted === null) return `${name} is null and ${behind()}`;
  const value = bind(sorted);
  return `(${name} ${sort.descending ? "<" : ">"} ${value} or (${name} = ${value} and ${behind()}) or ${name} is null)`;
}

/** Returns the start of the next page; undefined after the last page. */
export function afterOf(view: View, rows: readonly Row[], before: number): After | undefined {
  const last = rows.at(-1);
  if (!last || rows.length < PAGE) return undefined;
  const { table, sort } = view;
  if (table.primaryKey.length === 0) return before + rows.length;
  return {
    key: table.primaryKey.map((name) => valueAt(view, last, name)),
    sorted: sort && valueAt(view, last, sort.column),
  };
}

export const valueAt = (view: View, row: Row, name: string): unknown => row[readColumns(view).indexOf(name)];

/** Returns a row's primary key. */
export function keyOf(view: View, row: Row): Record<string, unknown> {
  return Object.fromEntries(view.table.primaryKey.map((name) => [name, valueAt(view, row, name)]));
}

/**
 * Converts typed text to a value for the API: JSON if the column has an array or JSON type, otherwise text for
 * PostgreSQL to parse.
 */
export function typed(type: string, text: string): unknown {
  if (!/^jsonb?$|\[\]$/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Formats a value for showing and editing. */
export const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Returns a table, or a view as a table whose rows cannot be identified; undefined if neither exists. */
export function relationOf({ tables, views }: Database, name: string): Table | undefined {
  const table = tables.find((each) => each.name === name);
  const view = views.find((each) => each.name === name);
  if (table || !view) return table;
  const { columns, rowEstimate, sizeBytes } = view;
  return {
    name,
    columns,
    primaryKey: [],
    foreignKeys: [],
    indexes: [],
    rowEstimate: rowEstimate ?? 0,
    sizeBytes,
  };
}

/**
 * Returns the search part of the address that shows the row which this row's foreign key refers to; null if it refers
 * to none.
 */
export function referredBy(
  view: View,
  row: Row,
  { columns, referencedColumns }: Table["foreignKeys"][number],
) {
  const filters: Filter[] = [];
  for (const [place, column] of columns.entries()) {
    const value = valueAt(view, row, column);
    if (value === null || value === undefined) return null;
    filters.push({ column: referencedColumns[place] ?? "", operator: "eq", value: shown(value) });
  }
  return { filters: JSON.stringify(filters) };
}
