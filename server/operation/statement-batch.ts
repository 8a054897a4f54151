import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";

/**
 * Calls of SQL functions by name, carried out in this order by one statement, all or none. A call that may be refused
 * is wrapped in `refuse_if` or `refuse_unless`.
 */
export type StatementBatch = Record<string, SQL>;

/** Runs the batch within a transaction, or as one of its own; returns each call's result by name. */
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

/** Returns which statement of a batch was refused, with its details; null for every other failure. */
export function refusalOf(reason: unknown): { statement: string; details: Record<string, unknown> } | null {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("code" in error && error.code === "MS001")
      return {
        statement: error.message,
        details: JSON.parse(String((error as { detail?: string }).detail)),
      };
  }
  return null;
}
