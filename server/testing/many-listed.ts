import type postgres from "postgres";
import { OPEN_POLICY } from "#server/wallets/policy/schema.ts";

/**
 * Inserts so many ledger transactions, approvals, artifacts, connections, wallets, workflows, orders, swaps, triggers and
 * deliveries into an account, by SQL, alike but for their ids; and the wallet of the transactions of `addManyResources`,
 * whose id the webhook of the deliveries has, too.
 */
export async function addManyListed(
  sql: postgres.Sql,
  { account, wallet, count = 20_000 }: { account: string; wallet: string; count?: number },
): Promise<void> {
  const rows = sql`(select n, uuidv7((n - ${count}::int) * interval '1 ms') as id from generate_series(1, ${count}::int) n) r`;
  await sql.begin(async (tx) => {
    const ids = await tx`
      insert into ledger_transactions (account_id, id, kind, reference, description, at)
      select ${account}::uuid, id, 'usage', 'Charge ' || n, 'managed-memory put', now() from ${rows}
      returning id`;
    await tx`
      insert into ledger_entries (account_id, transaction_id, book, amount, balance_after)
      select ${account}::uuid, id, book, amount, 0
      from unnest(${ids.map(({ id }) => id)}::uuid[]) id, (values ('customer', -1), ('usage', 1)) b(book, amount)`;
  });
  await sql`insert into approvals (account_id, id, kind, service_id, operation_id, summary, keep_payload, payload_hash, actor_type, actor_label,
      chain, member_ids, required_approvals, initiator_may_approve, status, expires_at)
    select ${account}::uuid, id, 'service_action', 'managed-memory', 'put', 'Store a memory', true, '', 'member', 'Ada', '{}', '{}', 1, false,
      'consumed', now() + interval '1 day' from ${rows}`;
  await sql`insert into artifacts (account_id, id, run_id, service_id, name, media_type, size_bytes, sha256, blob_key, expires_at)
    select ${account}::uuid, id, id, 'managed-workflows', 'report ' || n, 'text/plain', 1, '', id, now() + interval '1 day' from ${rows}`;
  await sql`insert into connections (account_id, id, label, provider, auth_type, allowed_hosts, metadata, status, secret, secret_fingerprint)
    select ${account}::uuid, id, 'Shop ' || n, 'shop', 'bearer', '{shop.example}', '{}', 'active', '', '5f2a9c01d4e7b863' from ${rows}`;
  await sql`insert into wallets (account_id, id, label, address, sealed_key, kek_id, status, policy)
    select ${account}::uuid, id, 'Wallet ' || n, address, '', '', 'active', ${sql.json({ ...OPEN_POLICY })}::jsonb
    from (select 0 as n, ${wallet}::uuid as id, '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' as address
      union all select n, id, '0x' || encode(substr(sha256(int4send(n)), 1, 20), 'hex') from ${rows}) w`;
  await sql`with versions as (
      insert into workflow_versions (account_id, id, workflow_id, version, digest, definition, actor_type, actor_id, actor_label)
      select ${account}::uuid, id, id, 1, '', '{"steps":[]}', 'member', id, 'Ada' from ${rows} returning workflow_id)
    insert into workflows (account_id, id, space, name, version)
    select ${account}::uuid, workflow_id, workflow_id, 'workflow-' || workflow_id, 1 from versions`;
  await sql`insert into orders (account_id, id, wallet_id, quote_id, client_reference, symbol, network, base, counter, side, type, time_in_force,
      quantity, bound_price, status, filled_quantity, filled_value, updated_at, ended_at)
    select ${account}::uuid, id, ${wallet}::uuid, id, 'order of shop ' || n, 'ETH-USD', 'eip155:31337', 'native', 'native', 'buy', 'market', 'ioc',
      1, 2000, 'filled', 1, 2000, now(), now() from ${rows}`;
  const side = {
    network: "eip155:31337",
    asset: "native",
    decimals: 18,
    amount: "1",
    expected: "1",
    minimum: "1",
  };
  await sql`insert into swaps (account_id, id, wallet_id, quote_id, status, "from", "to", fees, transactions, caller_type, caller_id, key_ids, request_id,
      ended_at)
    select ${account}::uuid, id, ${wallet}::uuid, id, 'completed', ${sql.json(side)}::jsonb, ${sql.json(side)}::jsonb, '[]',
      jsonb_build_array(jsonb_build_object('network', 'eip155:31337', 'hash', '0x' || encode(sha256(int4send(n)), 'hex'))), 'member', id, '{}', 'req_' || n,
      now() from ${rows}`;
  await sql`insert into triggers (account_id, id, space, name, schedule, service_id, operation_id, start, overlap, catch_up_seconds, jitter_seconds,
      caller_type, caller_id, anchor_at, next_at, updated_at)
    select ${account}::uuid, id, id, 'restock-shop-' || n, '{"everySeconds":3600}', 'managed-memory', 'put',
      '{"connectionId":null,"maxAttempts":1,"expiresInSeconds":60,"tags":[]}', 'skip', 0, 0, 'member', id, now(),
      now() + interval '1 year', now() from ${rows}`;
  await sql`insert into webhooks (account_id, id, url, events, status, secret, updated_at)
    values (${account}, ${wallet}, 'https://shop.example/', '{*}', 'active', '', now())`;
  await sql`insert into webhook_history (account_id, id, webhook_id, event_id, event, status)
    select ${account}::uuid, id, ${wallet}::uuid, id, 'run.succeeded', 'succeeded' from ${rows}`;
  await sql`vacuum (analyze) orders, swaps, triggers, webhooks, webhook_history`;
  await sql`vacuum (analyze) ledger_transactions, ledger_entries, approvals, artifacts, connections, wallets, workflows, workflow_versions`;
}
