import type postgres from "postgres";

/** An account to fill with old data; ids as in the database. */
export interface Grown {
  account: string;
  /** The key that has created everything. */
  root: string;
  project: string;
  events: number;
  keys: number;
}

/**
 * Fills accounts with old data by SQL: audit events of the last month, and keys below their root. One event in a
 * thousand matches the filter of the lists.
 */
export async function growAccounts(sql: postgres.Sql, accounts: readonly Grown[]): Promise<void> {
  const [month] = await sql<{ name: string; first: string; after: string }[]>`
    select 'audit_chain_' || to_char(m at time zone 'utc', 'YYYY_MM') as name, m::text as first,
      date_trunc('month', now(), 'UTC')::text as after
    from date_trunc('month', now() - interval '1 month', 'UTC') m`;
  if (!month) throw new Error("There was no last month.");
  const { name, first, after } = month;
  // Rows before indexes: a million then take seconds, not a minute.
  await sql.unsafe(`create table ${name} (like audit_chain including defaults including constraints)`);
  for (const { account, root, project, events } of accounts)
    await sql`
      insert into ${sql(name)} (account_id, id, at, actor_type, actor_id, operation, selector, counted, outcome, status, request_id,
        project_id, duration_ms, salt, sequence, previous_hash, hash)
      select ${account}::uuid, id, uuid_extract_timestamp(id), 'key', case when rare then ${root}::uuid else ${account}::uuid end,
        operation, operation, true, case when rare then 'denied' else 'allowed' end, case when rare then 403 else 200 end,
        'req_' || n, case when rare then ${project}::uuid end, 12, '', n, sha256(''), sha256('')
      from (select n, n % 1000 = 500 as rare, case when n % 1000 = 500 then 'projects.archive' else 'projects.list' end as operation,
          uuidv7(${first}::timestamptz - now() + n * interval '27 days' / ${events}::int) as id
        from generate_series(1, ${events}::int) n) e`;
  await sql.unsafe(
    `alter table audit_chain attach partition ${name} for values from (uuid_floor('${first}')) to (uuid_floor('${after}'))`,
  );
  for (const { account, root, project, keys } of accounts)
    await sql`
      insert into api_keys (account_id, id, label, prefix, hash, parent_id, chain, depth, scopes, operations_as_of, expiry_mode,
        expires_at, limits, limited, project_id, privacy_tier, revoked_at)
      select r.account_id, k.id, 'Key ' || n, r.prefix, sha256(uuid_send(k.id)), r.id, array[k.id, r.id], 1, r.scopes,
        r.operations_as_of, 'fixed', now() + case when n % 1000 = 250 then -1 else 1 end * interval '20 days', '{}', false,
        case when n % 1000 = 500 then ${project}::uuid end, r.privacy_tier, case when n % 1000 = 750 then now() end
      from api_keys r, (select n, uuidv7((n - ${keys}::int) * interval '1 ms') as id from generate_series(1, ${keys}::int) n) k
      where r.account_id = ${account} and r.id = ${root}`;
  await sql`insert into key_branches (account_id, above_id, key_id) select k.account_id, c.id, k.id from api_keys k, unnest(k.chain) c(id)
    on conflict do nothing`;
  await sql`vacuum (analyze) audit_chain, api_keys, key_branches`;
}

/** A request of a caller in a filled account. */
export interface Page {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
  /** True if the caller is a key without descendants. */
  byLeaf?: boolean;
}

/** Returns the statement that creates the rows which `pagesOf` reads. */
export const rowsSql = (rows: number) =>
  `create table orders as select n as id, n / 100.0 as total from generate_series(1, ${rows}) n`;

/**
 * Returns pages of lists, and a call that is only admitted; none may become slower as the account grows. Ids as in the
 * API.
 */
export function pagesOf({ root, project }: { root: string; project: string }): Record<string, Page> {
  const events = (query: string): Page => ({ method: "GET", path: `/v1/audit-events?${query}` });
  const keys = (query: string): Page => ({ method: "GET", path: `/v1/api-keys?${query}` });
  const sql = "select id, total from orders where id > $1 order by id limit 100";
  return {
    admission: { method: "GET", path: "/v1/projects" },
    "audit events": events("limit=25"),
    "audit events of a rare operation": events("operation=projects.archive"),
    "audit events of an operation that never was": events("operation=projects.restore"),
    "refused audit events": events("outcome=denied"),
    "audit events of a key": events(`keyId=${root}`),
    "audit events of a project": events(`projectId=${project}`),
    "an audit event by its request": events("requestId=req_500"),
    "audit events until a time": events(`to=${new Date(Date.now() - 60_000).toISOString()}`),
    keys: keys("limit=25"),
    "keys, counted": keys("limit=25&total=include"),
    "keys of a branch": { ...keys("limit=25"), byLeaf: true },
    "active keys": keys("status=active"),
    "expired keys": keys("status=expired"),
    "revoked keys": keys("status=revoked"),
    "children of a key": keys(`parentId=${root}`),
    "keys in the order of their labels": keys("sort=label"),
    "keys against the order of their labels": keys("sort=-label"),
    "oldest keys": keys("sort=createdAt"),
    "keys that a search finds": keys("search=Key 77 of none"),
    "keys of a project": keys(`projectId=${project}`),
    "rows of a managed database": {
      method: "POST",
      path: "/v1/databases/query",
      body: { sql, params: [500] },
    },
    "structure of a managed database": { method: "GET", path: "/v1/databases/account" },
  };
}
