import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { newEcho, ownRow } from "#db/echo.ts";

/**
 * What is done by one statement, by name: calls of functions in SQL, in this order, all or none. One that may be refused
 * stands in `refuse_if` or `refuse_unless`.
 */
export type Acts = Record<string, SQL>;

/** Does the acts, in a transaction or as one by themselves. Answers what each has answered. */
export async function performActs<Names extends Acts>(
  db: Db | Transaction,
  acts: Names,
): Promise<Record<keyof Names, unknown>> {
  const named = Object.entries(acts).map(([name, act]) => sql`${act} as ${sql.identifier(name)}`);
  const echo = newEcho();
  const [row] = await db.execute<{ echo: string }>(
    sql`select ${sql.join(named, sql`, `)}, ${echo}::text as echo`,
  );
  return ownRow(row, echo) as unknown as Record<keyof Names, unknown>;
}

/** Which act was refused, and what it told of that; null where the failure is another. */
export function refusalOf(reason: unknown): { act: string; told: Record<string, unknown> } | null {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ("code" in error && error.code === "MS001")
      return { act: error.message, told: JSON.parse(String((error as { detail?: string }).detail)) };
  }
  return null;
}
