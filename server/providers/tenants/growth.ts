import type postgres from "postgres";

/** The database would exceed its size limit. */
export class NoRoom extends Error {
  readonly bytes: number;

  constructor(bytes: number, cause?: unknown) {
    super(`The database has ${bytes} bytes.`, { cause });
    this.bytes = bytes;
  }
}

/**
 * Returns a query for a database's size after the open transaction's commit; until then, emptied and dropped files exist
 * beside the new ones. The query returns 0 while the files on disk do not exceed `most`, which is quicker to see.
 */
const lastingBytes = (most: number) => `
  select (case when pg_catalog.pg_database_size(pg_catalog.current_database()) operator(pg_catalog.>) ${most} then (
      select pg_catalog.sum(pg_catalog.pg_total_relation_size(oid)) from pg_catalog.pg_class
      where relkind operator(pg_catalog.<>) all (array['i', 't']::pg_catalog."char"[]) and not relisshared)
    else 0 end)::pg_catalog.text as bytes`;

/**
 * Bounds the growth of the database by the transaction that this connection has just begun: `confirm`, before the
 * commit, refuses a transaction after which the database exceeds `most`, or grows further if it exceeded that before.
 */
export function boundGrowth(sql: postgres.Sql, most: number) {
  const look = () => sql.unsafe<{ bytes: string }[]>(lastingBytes(most)).then(([row]) => Number(row?.bytes));
  // Not awaited: it is sent together with the transaction's first statement. If it fails, so has the connection.
  const looked = look().catch(() => 0);

  return {
    async confirm(): Promise<void> {
      const bytes = await look();
      if (bytes > Math.max(most, await looked)) throw new NoRoom(bytes);
    },
  };
}
