-- What is promised of a wallet's asset on a chain to others than an owner. What was released since a balance was read counts
-- too: the balance may have been read before the chain took it.
create or replace function promised_funds(
  p_account uuid, p_wallet uuid, p_network text, p_asset text, p_owner uuid, p_since timestamptz
) returns numeric language sql stable as $$
  select coalesce(sum(r.amount + r.fee), 0) from (
    select owner_id, amount, fee from fund_reservations
    where account_id = p_account and wallet_id = p_wallet and network = p_network and asset = p_asset and released_at is null
    union all
    select owner_id, amount, fee from fund_reservations
    where account_id = p_account and wallet_id = p_wallet and network = p_network and asset = p_asset
      and released_at > p_since - interval '10 milliseconds') r
  where r.owner_id <> p_owner
$$;

-- Promises what a thing takes of its wallet: `spends` are of an `asset`, an `amount`, a `fee` of the network and the
-- `balance` that was read at `p_since`. Answers the first that others leave too little for, and then nothing counts. What
-- takes more than the wallet has while nothing else is promised is the chain's to refuse, unless `p_strict`; what is
-- without a `balance` was promised before, to what it comes from.
create or replace function reserve_funds(
  p_account uuid, p_wallet uuid, p_network text, p_type text, p_owner uuid, p_spends jsonb, p_since timestamptz, p_strict boolean
) returns jsonb language plpgsql as $$
declare
  spend record;
  promised numeric;
begin
  if p_since is not null then perform lock_wallet(p_account, p_wallet); end if;
  for spend in select * from jsonb_to_recordset(p_spends) as s(asset text, amount numeric, fee numeric, balance numeric) loop
    if spend.balance is not null and spend.amount + spend.fee > 0 then
      promised := promised_funds(p_account, p_wallet, p_network, spend.asset, p_owner, p_since);
      if spend.amount + spend.fee > spend.balance - promised and (p_strict or promised > 0) then
        return jsonb_build_object('asset', spend.asset, 'wanted', trim_scale(spend.amount + spend.fee)::text,
          'free', trim_scale(greatest(spend.balance - promised, 0))::text);
      end if;
    end if;
    insert into fund_reservations as r (account_id, owner_id, owner_type, wallet_id, network, asset, amount, fee)
    values (p_account, p_owner, p_type, p_wallet, p_network, spend.asset, spend.amount, spend.fee)
    on conflict (account_id, owner_id, asset) do update
      set amount = excluded.amount, fee = excluded.fee, released_at = null;
  end loop;
  return null;
end $$;

-- Gives back what was promised to a thing that has spent nothing itself.
create or replace function free_funds(p_account uuid, p_owner uuid) returns void language sql as $$
  delete from fund_reservations r where r.account_id = p_account and r.owner_id = p_owner
$$;

-- Promises an order what it may still cost, whatever the wallet has.
create or replace function reserve_order(
  p_account uuid, p_wallet uuid, p_network text, p_order uuid, p_asset text, p_amount numeric
) returns void language sql as $$
  select reserve_funds(p_account, p_wallet, p_network, 'order', p_order,
    jsonb_build_array(jsonb_build_object('asset', p_asset, 'amount', p_amount, 'fee', 0)), null, false)
$$;

-- Promises transactions what their newest bytes may cost, where that is more than was thought when they were created:
-- `account`, `id` and `max_fee` of each.
create or replace function reserve_fees(p_signed jsonb) returns void language sql as $$
  update fund_reservations r set fee = t.gas * s.max_fee * 1e-18
  from jsonb_to_recordset(p_signed) as s(account uuid, id uuid, max_fee numeric)
    join wallet_transactions t on t.account_id = s.account and t.id = s.id
  where r.account_id = s.account and r.owner_id = s.id and r.asset = 'native' and r.fee < t.gas * s.max_fee * 1e-18
$$;

-- Releases what transactions had promised that the chain has by now, or that have ended without, and promises again what
-- the chain has lost. What a trade has not spent goes back to its order, `returns`.
create or replace function settle_funds(p_moves jsonb) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update fund_reservations o set amount = o.amount + r.amount
  from jsonb_to_recordset(p_moves) as m(account uuid, id uuid, returns uuid)
    join fund_reservations r on r.account_id = m.account and r.owner_id = m.id and r.released_at is null and r.amount > 0
  where m.returns is not null and o.account_id = m.account and o.owner_id = m.returns and o.asset = r.asset;
  update fund_reservations r set released_at = case when not t.live then clock_timestamp() end
  from (
    select t.account_id, t.id,
      t.status in ('awaiting_approval', 'reserved', 'signed', 'broadcast') and (t.block_number is null or t.reverted) as live
    from jsonb_to_recordset(p_moves) as m(account uuid, id uuid)
      join wallet_transactions t on t.account_id = m.account and t.id = m.id) t
  where r.account_id = t.account_id and r.owner_id = t.id and (r.released_at is null) <> t.live;
end $$;
