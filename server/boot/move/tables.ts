import type postgres from "postgres";

/** A table with rows of accounts. */
export interface OwnedTable {
  name: string;
  /** The column that names the account. */
  owner: "account_id" | "id";
}

/** Freezes are not moved: each cell has its own. */
const FREEZES = "frozen_accounts";
/**
 * Requests for access expire within minutes, and apps repeat them. Until a person has decided, a row belongs to no
 * account, so that replication could not select it by account.
 */
const REQUESTS = "oauth_requests";

/**
 * Returns every table whose rows move with their account, from the catalogue, so that a new table moves, too. Unlogged
 * tables don't move: a crash empties them as well.
 */
export async function movedTables(sql: postgres.Sql): Promise<OwnedTable[]> {
  const tables = await ownedTables(sql);
  return tables.filter(({ name, logged }) => logged && name !== REQUESTS);
}

/** Returns every table with rows of accounts, except freezes. */
export function ownedTables(sql: postgres.Sql): Promise<(OwnedTable & { logged: boolean })[]> {
  return sql<(OwnedTable & { logged: boolean })[]>`
    select c.relname as name, a.attname as owner, c.relpersistence = 'p' as logged
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      and a.attname = case c.relname when 'accounts' then 'id' else 'account_id' end
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> ${FREEZES}
    order by c.relname`;
}

export interface TableSize {
  name: string;
  rows: number;
  bytes: number;
  /** The sum of all rows' hashes, so that equal sums mean equal rows. */
  hash: string;
}

/** Returns the number, the size and the hash of the account's rows in each table. */
export async function sizesOf(sql: postgres.Sql, account: string): Promise<TableSize[]> {
  const sizes: TableSize[] = [];
  for (const { name, owner } of await movedTables(sql)) {
    const found = await sql<Omit<TableSize, "name">[]>`
      select count(*)::int as rows, coalesce(sum(pg_column_size(t.*)), 0)::float8 as bytes,
        coalesce(sum(hashtextextended(t::text, 0)), 0)::text as hash
      from ${sql(name)} t where ${sql(owner)} = ${account}`;
    sizes.push(...found.map((size) => ({ name, ...size })));
  }
  return sizes;
}

/** Returns the tables in which the account's rows differ between the cells. */
export async function differingTables(here: postgres.Sql, there: postgres.Sql, account: string) {
  const [ours, theirs] = await Promise.all([sizesOf(here, account), sizesOf(there, account)]);
  const hashes = new Map(theirs.map(({ name, rows, hash }) => [name, `${rows} ${hash}`]));
  return ours
    .filter(({ name, rows, hash }) => hashes.get(name) !== `${rows} ${hash}`)
    .map(({ name }) => name);
}
