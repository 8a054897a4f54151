-- Wakes a worker for a wallet's transactions on a chain, once this is committed. Checks for the row first: even with
-- `do nothing`, an insert that conflicts with a row waits for the transaction that is changing it.
drop function if exists make_due(uuid, uuid, text, text);
create or replace function wake_sender(p_account uuid, p_wallet uuid, p_network text, p_address text) returns void language sql as $$
  insert into wallet_nonces (account_id, wallet_id, network, address)
  select p_account, p_wallet, p_network, p_address
  where not exists (
    select from wallet_nonces n where n.account_id = p_account and n.wallet_id = p_wallet and n.network = p_network)
  on conflict do nothing;
  insert into wallet_wakes (account_id, wallet_id, network) values (p_account, p_wallet, p_network)
$$;

-- Like wake_sender, and locks the sender until the transaction ends, so that no other session signs for it or locks it.
create or replace function lock_sender(p_account uuid, p_wallet uuid, p_network text, p_address text) returns void language sql as $$
  insert into wallet_nonces as n (account_id, wallet_id, network, address) values (p_account, p_wallet, p_network, p_address)
  on conflict (account_id, wallet_id, network) do update set address = n.address;
  insert into wallet_wakes (account_id, wallet_id, network) values (p_account, p_wallet, p_network)
$$;

-- Inserts an outgoing transaction: a row of wallet_transactions. False if another has its reference.
create or replace function enqueue_transaction(p_row jsonb) returns boolean language plpgsql as $$
declare
  t wallet_transactions := jsonb_populate_record(null::wallet_transactions, p_row);
begin
  insert into wallet_transactions (account_id, id, project_id, end_user_id, wallet_id, network, direction, status, "from", "to", asset,
    amount, data, call_to, call_value, call_data, gas, quote_id, client_reference, approval_id, source_type, source_id, caller_type,
    caller_id, key_ids, request_id, held_credits, expires_at)
  values (t.account_id, t.id, t.project_id, t.end_user_id, t.wallet_id, t.network, 'out', t.status, t."from", t."to", t.asset,
    t.amount, t.data, t.call_to, t.call_value, t.call_data, t.gas, t.quote_id, t.client_reference, t.approval_id, t.source_type, t.source_id,
    t.caller_type, t.caller_id, t.key_ids, t.request_id, t.held_credits, t.expires_at)
  on conflict (account_id, wallet_id, client_reference) where client_reference is not null do nothing;
  if not found then return false; end if;
  if t.status = 'reserved' then perform wake_sender(t.account_id, t.wallet_id, t.network, t."from"); end if;
  return true;
end $$;

-- Leases senders of these chains that are due, for so many seconds. Returns their live transactions, first those with a
-- nonce in its order, then the others, oldest first; and whether the account has webhooks. If a crash of the database loses
-- this commit, the leases end early and the senders are leased again. Checks first whether any sender is due; mostly none
-- is. The transactions are read by a statement after the locks, so that it sees the last worker's changes and those that
-- caused a wake-up.
create or replace function claim_senders(p_networks text[], p_limit int, p_seconds int) returns table (
  account_id uuid, wallet_id uuid, network text, address text, next bigint, fence int, status text, sealed_key bytea, kek_id text,
  wants_events boolean, open jsonb
) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  wanted wallet_nonces[];
  claimed wallet_nonces[];
  frozen uuid[] := frozen_ids();
begin
  select array_agg(l::wallet_nonces) into wanted from (
    (select l.* from wallet_nonces l join (
        select account_id, wallet_id, network, min(id) as first from wallet_wakes where network = any(p_networks) and account_id <> all(frozen) group by 1, 2, 3
      ) w using (account_id, wallet_id, network)
      where l.lease_until is null or l.lease_until < now() order by w.first limit 2 * p_limit)
    union all
    (select * from wallet_nonces
      where network = any(p_networks) and account_id <> all(frozen) and (due_at <= now() and lease_until is null or lease_until < now())
      order by due_at limit 2 * p_limit)
  ) l;
  if wanted is null then return; end if;
  perform set_config('synchronous_commit', 'off', true);
  with leased as (
    update wallet_nonces n
    set lease_until = clock_timestamp() + make_interval(secs => p_seconds), due_at = null, fence = floor(random() * 2147483647)::int
    from (
      select l.account_id, l.wallet_id, l.network from wallet_nonces l join unnest(wanted) using (account_id, wallet_id, network)
      where l.lease_until is null or l.lease_until < now() limit p_limit for update of l skip locked
    ) due
    where (n.account_id, n.wallet_id, n.network) = (due.account_id, due.wallet_id, due.network)
    returning n.*)
  select array_agg(t::wallet_nonces) into claimed from leased t;
  if claimed is null then return; end if;
  delete from wallet_wakes w using unnest(claimed) c
  where (w.account_id, w.wallet_id, w.network) = (c.account_id, c.wallet_id, c.network);
  return query
    select n.account_id, n.wallet_id, n.network, n.address, n.next, n.fence, w.status, w.sealed_key, w.kek_id, wants_events(n.account_id),
      (select coalesce(jsonb_agg(jsonb_build_object(
          'row', to_jsonb(t) || jsonb_build_object('call_value', t.call_value::text),
          'tries', (
            select coalesce(jsonb_agg(to_jsonb(a) || jsonb_build_object('max_fee', a.max_fee::text, 'priority_fee', a.priority_fee::text)
              order by a.attempt), '[]')
            from transaction_attempts a where t.attempts > 0 and a.account_id = t.account_id and a.transaction_id = t.id))
          order by t.nonce nulls last, t.id), '[]')
        from (
          select * from wallet_transactions o
          where o.account_id = n.account_id and o.wallet_id = n.wallet_id and o.network = n.network
            and o.direction = 'out' and o.status in ('reserved', 'signed', 'broadcast')
          order by o.nonce nulls last, o.id limit 100
        ) t)
    from unnest(claimed) n join wallets w on (w.account_id, w.id) = (n.account_id, n.wallet_id);
end $$;

-- Leases the sender of transactions that were just stored, for the worker that stored them. Null if another worker
-- has leased it, or if it has more to do. Transactions that are not committed yet, or come later, wake a worker
-- themselves.
create or replace function claim_sender(p_account uuid, p_wallet uuid, p_network text, p_seconds int) returns jsonb language plpgsql as $$
declare
  sender record;
begin
  select floor(random() * 2147483647)::int as fence, n.next, w.sealed_key, w.kek_id into sender
  from wallet_nonces n join wallets w on (w.account_id, w.id) = (n.account_id, n.wallet_id)
  where n.account_id = p_account and n.wallet_id = p_wallet and n.network = p_network and n.lease_until is null and n.due_at is null
    and w.status = 'active'
    and (select count(*) from wallet_wakes k where k.account_id = p_account and k.wallet_id = p_wallet and k.network = p_network) = 1
  for update of n skip locked;
  if not found then return null; end if;
  delete from wallet_wakes k where k.account_id = p_account and k.wallet_id = p_wallet and k.network = p_network;
  update wallet_nonces n set lease_until = clock_timestamp() + make_interval(secs => p_seconds), fence = sender.fence
  where n.account_id = p_account and n.wallet_id = p_wallet and n.network = p_network;
  return jsonb_build_object('next', sender.next, 'fence', sender.fence, 'sealedKey', encode(sender.sealed_key, 'base64'), 'kekId', sender.kek_id);
end $$;

-- Locks senders until the transaction ends, so that no other session signs, and releases those with `released`, which are
-- due again after `due` milliseconds. Returns false if another worker has leased one of them.
create or replace function hold_senders(p_senders jsonb) returns boolean language plpgsql as $$
declare
  held int;
begin
  if jsonb_array_length(p_senders) > 1 then
    perform from wallet_nonces n join jsonb_to_recordset(p_senders) as h(account uuid, wallet uuid, network text)
      on (n.account_id, n.wallet_id, n.network) = (h.account, h.wallet, h.network)
    order by n.account_id, n.wallet_id, n.network for update of n;
  end if;
  update wallet_nonces n
  set next = h.next,
    lease_until = case when not h.released then clock_timestamp() + make_interval(secs => h.seconds) end,
    due_at = case when h.released then clock_timestamp() + h.due * interval '1 millisecond' end
  from jsonb_to_recordset(p_senders)
    as h(account uuid, wallet uuid, network text, fence int, next bigint, seconds int, released boolean, due float8)
  where n.account_id = h.account and n.wallet_id = h.wallet and n.network = h.network and n.fence = h.fence;
  get diagnostics held = row_count;
  return held = jsonb_array_length(p_senders);
end $$;

-- Changes the columns of transactions, and the resources that depend on them: `uncap` names the resource that releases
-- its reservation of a cap, `recap` the one that reserves it again, `returns` the order to which unspent funds return,
-- `wakes` the job that continues. `unhold`, whose held credits are released, is for `ledger_close_all`. Returns the
-- accounts that have webhooks. They are few and looked up one by one, since a planner without statistics of the table
-- would read all of it.
create or replace function move_transactions(p_moves jsonb) returns uuid[] language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved int;
begin
  update wallet_transactions t
  set (status, nonce, gas, hash, attempts, failure, block_number, block_hash, reverted, confirmations, fee_paid, charged_credits,
      expires_at, signed_at, broadcast_at, confirmed_at, finalized_at, ended_at) = (
    select n.status, n.nonce, n.gas, n.hash, n.attempts, n.failure, n.block_number, n.block_hash, n.reverted, n.confirmations, n.fee_paid,
      n.charged_credits, n.expires_at, n.signed_at, n.broadcast_at, n.confirmed_at, n.finalized_at, n.ended_at
    from jsonb_populate_record(t, m.change) n)
  from jsonb_to_recordset(p_moves) as m(account uuid, id uuid, change jsonb)
  where t.account_id = m.account and t.id = m.id;
  get diagnostics moved = row_count;
  if moved < jsonb_array_length(p_moves) then raise 'Of % transactions there are %.', jsonb_array_length(p_moves), moved; end if;
  perform release_cap(m.account, m.uncap), retake_cap(m.account, m.recap)
  from (select m.* from jsonb_to_recordset(p_moves) as m(account uuid, id uuid, uncap text, recap text)
    join wallet_transactions t on t.account_id = m.account and t.id = m.id
    where m.uncap is not null or m.recap is not null order by t.account_id, t.wallet_id, t.id) m;
  perform settle_funds(p_moves);
  perform enqueue_job(m.wakes ->> 'task', (m.wakes -> 'payload')::json, m.wakes ->> 'key')
  from jsonb_to_recordset(p_moves) as m(wakes jsonb) where jsonb_typeof(m.wakes) = 'object';
  return array(
    select a.account from (select distinct m.account from jsonb_to_recordset(p_moves) as m(account uuid)) a where wants_events(a.account));
end $$;

-- Stores the changes of senders, all or none: their transactions' changes, signed bytes, bytes that a node has accepted,
-- and charges, which come last since all calls of an account wait for the lock of its ledger. Refused if an account outside
-- `p_with_events` has webhooks, or if a charge brings an account's balance to a threshold that has an event, unless
-- `p_emits_balance`. Returns the charges.
drop function if exists store_transactions(jsonb, uuid[], boolean, boolean);
create function store_transactions(p jsonb, p_with_events uuid[], p_emits_balance boolean, p_durable boolean) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  closed jsonb;
  low jsonb;
begin
  if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
  perform refuse_unless('senders', hold_senders(p -> 'senders'));
  perform refuse_unless('events', move_transactions(p -> 'moves') <@ p_with_events);
  insert into transaction_attempts (account_id, transaction_id, attempt, hash, raw, max_fee, priority_fee, cancels, signed_at)
  select s.account, s.id, s.attempt, s.hash, decode(s.raw, 'hex'), s.max_fee, s.priority_fee, s.cancels, now()
  from jsonb_to_recordset(p -> 'signed')
    as s(account uuid, id uuid, attempt int, hash text, raw text, max_fee numeric, priority_fee numeric, cancels boolean);
  perform reserve_fees(p -> 'signed', p -> 'feeLimits');
  -- The time limit for mining begins when a node first accepts the attempt, however long nobody sent it.
  update transaction_attempts a
  set accepted_at = now(), signed_at = case when a.accepted_at is null then now() else a.signed_at end
  from jsonb_to_recordset(p -> 'accepted') as t(account uuid, id uuid, attempt int)
  where a.account_id = t.account and a.transaction_id = t.id and a.attempt = t.attempt;
  select coalesce(jsonb_agg(jsonb_build_object('account', m.account, 'id', m.unhold, 'credits', 0)), '[]') || (p -> 'charges') into closed
  from jsonb_to_recordset(p -> 'moves') as m(account uuid, unhold uuid) where m.unhold is not null;
  closed := ledger_close_all(closed);
  perform record_settlements((
    select coalesce(jsonb_agg(h.event), '[]') from jsonb_to_recordset(p -> 'charges') as h(account uuid, id uuid, event jsonb)
      join jsonb_to_recordset(closed) as c(account uuid, id uuid, total bigint) using (account, id)
    where c.total is not null));
  select jsonb_agg(jsonb_build_object('account', h.account, 'total', c.total, 'low', c.low)) into low
  from jsonb_to_recordset(p -> 'charges') as h(account uuid, id uuid)
    join jsonb_to_recordset(closed) as c(account uuid, id uuid, total bigint, low boolean) using (account, id)
  where c.total <= 0 or c.low;
  if not p_emits_balance then perform refuse_if('charges', low); end if;
  return coalesce(low, '[]');
end $$;
