import type postgres from "postgres";

/** With what was written the database has no room left. */
export class NoRoom extends Error {
  readonly bytes: number;

  constructor(bytes: number, cause?: unknown) {
    super(`The database has ${bytes} bytes.`, { cause });
    this.bytes = bytes;
  }
}

/**
 * The bytes that a database has on disk; where those are more than `most`, what it keeps of them once the open
 * transaction is committed: until then what it empties or drops stands beside what it writes.
 */
const lastingBytes = (most: number) => `
  select (case when pg_catalog.pg_database_size(pg_catalog.current_database()) operator(pg_catalog.>) ${most} then (
      select pg_catalog.sum(pg_catalog.pg_total_relation_size(oid)) from pg_catalog.pg_class
      where relkind operator(pg_catalog.<>) all (array['i', 't']::pg_catalog."char"[]) and not relisshared)
    else 0 end)::pg_catalog.text as bytes`;

/**
 * Holds the transaction that this connection has just begun to the size of its database: `confirm`, before the commit,
 * refuses one that makes it larger than `most`, or larger still where it was that before.
 */
export function boundGrowth(sql: postgres.Sql, most: number) {
  const look = () => sql.unsafe<{ bytes: string }[]>(lastingBytes(most)).then(([row]) => Number(row?.bytes));
  // Not awaited: it goes out with what the transaction sends first. Where it fails the connection has.
  const looked = look().catch(() => 0);

  return {
    async confirm(): Promise<void> {
      const bytes = await look();
      if (bytes > Math.max(most, await looked)) throw new NoRoom(bytes);
    },
  };
}
