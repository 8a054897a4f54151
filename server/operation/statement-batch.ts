import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";

/**
 * Calls of SQL functions by name, executed in this order in one statement, all or none. A call that may be
 * refused is wrapped in `refuse_if` or `refuse_unless`.
 */
export type StatementBatch = Record<string, SQL>;

/**
 * Runs the batch within a transaction, or as a transaction of its own; returns each call's result by name.
 */
export async function runBatch<Names extends StatementBatch>(
  db: Db | Transaction,
  batch: Names,
): Promise<Record<keyof Names, unknown>> {
  const named = Object.entries(batch).map(([name, call]) => sql`${call} as ${sql.identifier(name)}`);
  const echo = newEcho();
  const [row] = await db.execute<{ echo: string }>(
    sql`select ${sql.join(named, sql`, `)}, ${echo}::text as echo`,
  );
  return ownRow(row, echo) as unknown as Record<keyof Names, unknown>;
}

function refusedIn(reason: unknown): { statement: string; detail: string } | null {
  for (let error = reason; error instanceof Error; error = error.cause)
    if ("code" in error && error.code === "MS001" && "detail" in error)
      return { statement: error.message, detail: String(error.detail) };
  return null;
}

/** Returns the name of the refused statement of a batch; null for every other failure. */
export function refusedStatement(reason: unknown): string | null {
  return refusedIn(reason)?.statement ?? null;
}

/** Returns the reason that the SQL function gave for refusing this statement; null if it was not refused. */
export function refusalOf<Details>(reason: unknown, statement: string): Details | null {
  const refused = refusedIn(reason);
  return refused?.statement === statement ? JSON.parse(refused.detail) : null;
}
