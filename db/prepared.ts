import { sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "./client.ts";

/**
 * Builds a query once per pool and shape, for reads that run thousands of times a second: building a query takes
 * Drizzle longer than PostgreSQL takes to execute it. Values are placeholders.
 */
export function preparedBy<Pool extends object, Shape, Query>(
  build: (pool: Pool, shape: Shape) => Query,
): (pool: Pool, shape: Shape) => Query {
  const byPool = new WeakMap<Pool, Map<string, Query>>();
  return (pool, shape) => {
    const queries = byPool.get(pool) ?? new Map<string, Query>();
    byPool.set(pool, queries);
    const key = JSON.stringify(shape);
    const query = queries.get(key) ?? build(pool, shape);
    queries.set(key, query);
    return query;
  };
}

/**
 * Reads with a plan for the actual values, where a generic plan may be a hundred times slower: which index is best
 * depends on whether a key has three descendants or a hundred thousand. Costs three statements more.
 */
export function plannedAnew<T>(db: Db, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
    return read(tx);
  });
}

/** Returns a placeholder whose value is encoded as the column encodes its own. */
export function placeholder(column: PgColumn, name: string) {
  return sql`${sql.param(sql.placeholder(name), column)}`;
}
