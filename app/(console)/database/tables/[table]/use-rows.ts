"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { useDatabase } from "#app/(console)/database/use-database.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";

export type Table = NonNullable<ReturnType<typeof useDatabase>["database"]>["tables"][number];
export type Row = unknown[];

const PAGE = 50;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * A page of a table, and where the next one begins: after the last row's primary key, or, without one, after so many
 * rows. Columns are named, so that one that is added meanwhile moves nothing.
 */
function pageOf({ name, columns, primaryKey }: Table, after: unknown[] | number | null) {
  const shown = columns.map((column) => quoted(column.name)).join(", ");
  const order = primaryKey.map(quoted).join(", ");
  const keyed = Array.isArray(after);
  const places = keyed ? after.map((_, index) => `$${index + 1}`).join(", ") : "";
  return {
    sql: [
      `select ${shown || "*"} from ${quoted(name)}`,
      ...(keyed ? [`where (${order}) > (${places})`] : []),
      ...(order ? [`order by ${order}`] : []),
      `limit ${PAGE}`,
      ...(typeof after === "number" ? [`offset ${after}`] : []),
    ].join(" "),
    params: keyed ? after : [],
    maxRows: PAGE,
  };
}

/** A table's rows, page after page, by its primary key. */
export function useRows(table: Table | undefined) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const queryKey = [...trpc.databases.query.mutationKey(), "rows", table?.name];
  const rows = useInfiniteQuery({
    queryKey,
    enabled: table !== undefined,
    initialPageParam: null as unknown[] | number | null,
    queryFn: ({ pageParam }) => client.databases.query.mutate(pageOf(table as Table, pageParam)),
    getNextPageParam(page, pages) {
      const last = page.rows.at(-1) as Row | undefined;
      if (!table || !last || page.rows.length < PAGE) return undefined;
      if (table.primaryKey.length === 0) return pages.length * PAGE;
      return table.primaryKey.map((key) => last[table.columns.findIndex(({ name }) => name === key)]);
    },
  });
  return {
    ...rows,
    rows: rows.data?.pages.flatMap((page) => page.rows as Row[]),
    refresh: () => queries.invalidateQueries({ queryKey }),
  };
}

/** Names a row by its primary key, for actions on it. */
export function keyOf({ columns, primaryKey }: Table, row: Row): Record<string, unknown> {
  return Object.fromEntries(
    primaryKey.map((key) => [key, row[columns.findIndex(({ name }) => name === key)]]),
  );
}

/** What somebody typed, as a value of the API: JSON where the column holds lists or JSON, else PostgreSQL's own text. */
export function typed(type: string, text: string): unknown {
  if (!/^jsonb?$|\[\]$/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value as it is shown and edited. */
export const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
