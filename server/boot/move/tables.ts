import type postgres from "postgres";

/** A table with rows of accounts. */
export interface OwnedTable {
  name: string;
  /** The column that names the account. */
  owner: "account_id" | "id";
}

/** Each cell has freezes of its own. */
const FREEZES = "frozen_accounts";
/**
 * Requests for access, which end within minutes; their apps ask again. A row belongs to no account until a person has
 * decided, so that it can't be followed by its account.
 */
const REQUESTS = "oauth_requests";

/**
 * Returns every table whose rows move with their account, from the catalogue, so that a new table moves too. Unlogged
 * tables don't: a crash empties them as well.
 */
export async function movedTables(sql: postgres.Sql): Promise<OwnedTable[]> {
  const tables = await ownedTables(sql);
  return tables.filter(({ name, logged }) => logged && name !== REQUESTS);
}

/** Returns every table with rows of accounts, but freezes. */
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

/** Returns how many rows the account has in each table, and what they amount to. */
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

/** Returns the tables of which the account has other rows here than there. */
export async function differingTables(here: postgres.Sql, there: postgres.Sql, account: string) {
  const [ours, theirs] = await Promise.all([sizesOf(here, account), sizesOf(there, account)]);
  const hashes = new Map(theirs.map(({ name, rows, hash }) => [name, `${rows} ${hash}`]));
  return ours
    .filter(({ name, rows, hash }) => hashes.get(name) !== `${rows} ${hash}`)
    .map(({ name }) => name);
}
