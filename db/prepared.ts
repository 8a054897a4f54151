import { sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Transaction } from "./client.ts";

/**
 * Builds a query once per connection pool and shape, for reads that are called thousands of times a second: building
 * and describing a query takes Drizzle longer than PostgreSQL takes to answer it. Values go in as placeholders.
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
 * Reads with a plan for these very values, where the plan for any values may be a hundred times slower: whether a key has
 * three descendants or a hundred thousand decides which index finds them. Costs three statements more.
 */
export function plannedAnew<T>(db: Db, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
    return read(tx);
  });
}

/** A value to come, written to the database as the column writes its own. */
export function placeholder(column: PgColumn, name: string) {
  return sql`${sql.param(sql.placeholder(name), column)}`;
}
