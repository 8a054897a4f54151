import type postgres from "postgres";

/** The recipients of all but two of 100,000 transactions, and of these two. */
export const BUSY = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
export const RARE = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

/**
 * Inserts so many projects, keys, files, runs, memories, end users and transactions into an account, by SQL, with ids as
 * in the database. The older half of each is called `depot`, the newer `shop`.
 */
export async function addManyResources(
  sql: postgres.Sql,
  { account, project, count = 100_000 }: { account: string; project: string; count?: number },
): Promise<void> {
  const tables = ["projects", "api_keys", "files", "runs", "memories", "end_users", "wallet_transactions"];
  // Rows before indexes of their parts: these then take seconds, not a minute.
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = any(${tables}) and indexdef like '%USING gin%'`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  const rows = sql`generate_series(1, ${count}::int) n`;
  const id = sql`uuidv7((n - ${count}::int) * interval '1 ms')`;
  const word = sql`case when n > ${count}::int / 2 then 'shop ' else 'depot ' end || n`;
  await sql`insert into projects (account_id, id, name, slug, updated_at)
    select ${account}::uuid, ${id}, case when n > ${count}::int / 2 then 'Shop' else 'Depot' end || ' number ' || n, 'shop-' || n, now() from ${rows}`;
  await sql`insert into api_keys (account_id, id, label, prefix, hash, chain, depth, scopes, operations_as_of, expiry_mode, limits, limited, privacy_tier, expires_at)
    select account_id, k.id, 'Key of ' || k.word, prefix, sha256(uuid_send(k.id)), array[k.id], 0, scopes, operations_as_of, 'fixed', '{}', false, privacy_tier, now() + interval '1 day'
    from api_keys, (select n, ${id} as id, ${word} as word from ${rows}) k where account_id = ${account}`;
  await sql`insert into files (account_id, id, name, media_type, size_bytes, sha256, blob_key)
    select ${account}::uuid, ${id}, 'invoice of ' || ${word} || '.pdf', 'application/pdf', 1, '', ${project}::uuid from ${rows}`;
  await sql`insert into runs (account_id, id, service_id, operation_id, name, status, max_attempts, caller_type, caller_id, key_ids, privacy_tier, request_id, held_credits, expires_at, finished_at)
    select ${account}::uuid, ${id}, 'managed-workflows', 'execute', 'Restock ' || ${word}, 'succeeded', 1, 'member', ${project}::uuid, '{}', 'standard', 'req_' || n, 0, now(), now() from ${rows}`;
  await sql`insert into memories (account_id, id, space, name, content, tags, metadata, words, updated_at)
    select ${account}::uuid, ${id}, ${account}::uuid, 'About ' || ${word}, 'Tea', '{}', '{}', '', now() from ${rows}`;
  await sql`insert into end_users (account_id, id, external_id) select ${account}::uuid, ${id}, 'user of ' || ${word} from ${rows}`;
  await sql`insert into wallet_transactions (account_id, id, wallet_id, network, direction, status, "from", "to", asset, amount, nonce, hash, client_reference, confirmed_at, ended_at)
    select ${account}::uuid, ${id}, ${project}::uuid, 'eip155:31337', 'out', 'confirmed', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      case when n % 50000 = 7 then ${RARE} else ${BUSY} end,
      'native', '1', n, '0x' || encode(sha256(int4send(n)), 'hex'), 'order of ' || ${word}, now(), now() from ${rows}`;
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`vacuum (analyze) ${sql(tables)}`;
}
