-- Returns whether a signed transfer can still be used, allowing for a chain's clock that is up to a minute behind.
-- Always true without an expiry.
create or replace function is_spendable(p_expires timestamptz) returns boolean language sql stable as $$
  select coalesce(p_expires > now() - interval '1 minute', true)
$$;

-- Returns how much of a wallet's asset on a chain is reserved by others than the owner. Reservations released since
-- the balance was read are included: the balance may not show the spending yet.
create or replace function promised_funds(
  p_account uuid, p_wallet uuid, p_network text, p_asset text, p_owner uuid, p_since timestamptz
) returns numeric language sql stable as $$
  select coalesce(sum(r.amount + r.fee), 0) from (
    select owner_id, amount, fee from fund_reservations
    where account_id = p_account and wallet_id = p_wallet and network = p_network and asset = p_asset and released_at is null
      and is_spendable(expires_at)
    union all
    select owner_id, amount, fee from fund_reservations
    where account_id = p_account and wallet_id = p_wallet and network = p_network and asset = p_asset
      and released_at > p_since - interval '10 milliseconds') r
  where r.owner_id <> p_owner
$$;

-- Reserves the funds that a resource may spend: each of `spends` has an `asset`, an `amount`, the network's `fee` and
-- the `balance` that was read at `p_since`. Returns the first one for which other reservations leave too little, and
-- then reserves nothing. Without other reservations the chain refuses a spend above the balance, unless `p_strict`.
-- Without a `balance` the funds were reserved before, by the resource from which this one comes. `count_fee` counts a
-- transaction's fee. A signed transfer (with a `nonce`) whose nonce the chain has used reserves nothing.
drop function if exists reserve_funds(uuid, uuid, text, text, uuid, jsonb, timestamptz, boolean);
create or replace function reserve_funds(
  p_account uuid, p_wallet uuid, p_network text, p_type text, p_owner uuid, p_spends jsonb, p_since timestamptz, p_strict boolean,
  p_fee_limits jsonb
) returns jsonb language plpgsql as $$
declare
  spend record;
  promised numeric;
  worth numeric;
begin
  if p_since is not null then perform lock_wallet(p_account, p_wallet); end if;
  for spend in select * from jsonb_to_recordset(p_spends) as s(asset text, amount numeric, fee numeric, balance numeric,
    nonce text, "expiresAt" timestamptz) loop
    continue when exists (select from fund_reservations r where r.account_id = p_account and r.wallet_id = p_wallet
      and r.network = p_network and r.asset = spend.asset and r.nonce = spend.nonce and r.released_block is not null);
    if spend.balance is not null and spend.amount + spend.fee > 0 then
      promised := promised_funds(p_account, p_wallet, p_network, spend.asset, p_owner, p_since);
      if spend.amount + spend.fee > spend.balance - promised and (p_strict or promised > 0) then
        return jsonb_build_object('asset', spend.asset, 'wanted', trim_scale(spend.amount + spend.fee)::text,
          'free', trim_scale(greatest(spend.balance - promised, 0))::text);
      end if;
    end if;
    worth := case when p_type = 'transaction' and spend.fee > 0
      then count_fee(p_account, p_wallet, p_owner, p_network, spend.fee, p_fee_limits) end;
    insert into fund_reservations as r
      (account_id, owner_id, owner_type, wallet_id, network, asset, amount, fee, fee_usd, fee_counted_usd, fee_day, nonce, expires_at)
    values (p_account, p_owner, p_type, p_wallet, p_network, spend.asset, spend.amount, spend.fee, worth, worth, utc_today(),
      spend.nonce, spend."expiresAt")
    on conflict (account_id, owner_id, asset) do update
      set amount = excluded.amount, fee = excluded.fee, released_at = null;
  end loop;
  return null;
end $$;

-- Releases the reservation of a resource that has spent nothing itself.
create or replace function free_funds(p_account uuid, p_owner uuid) returns void language sql as $$
  delete from fund_reservations r where r.account_id = p_account and r.owner_id = p_owner
$$;

-- Reserves the maximum that an order may still cost, regardless of the wallet's balance.
create or replace function reserve_order(
  p_account uuid, p_wallet uuid, p_network text, p_order uuid, p_asset text, p_amount numeric
) returns void language sql as $$
  select reserve_funds(p_account, p_wallet, p_network, 'order', p_order,
    jsonb_build_array(jsonb_build_object('asset', p_asset, 'amount', p_amount, 'fee', 0)), null, false, null)
$$;

-- Returns the part of a fee's value that counts: the paid part once known, and nothing if nothing was sent.
create or replace function fee_counted(p_worth numeric, p_fee numeric, p_paid numeric, p_ended boolean) returns numeric
language sql immutable as $$
  select case when p_paid is not null then p_worth * p_paid / nullif(p_fee, 0) when p_ended then p_worth * 0 else p_worth end
$$;

-- Releases the reservations of transactions that were mined or ended otherwise, and restores those of transactions
-- that a reorganisation removed; counts their fees as paid. The unspent part of a trade returns to its order,
-- `returns`.
create or replace function settle_funds(p_moves jsonb) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update fund_reservations o set amount = o.amount + r.amount
  from jsonb_to_recordset(p_moves) as m(account uuid, id uuid, returns uuid)
    join fund_reservations r on r.account_id = m.account and r.owner_id = m.id and r.released_at is null and r.amount > 0
  where m.returns is not null and o.account_id = m.account and o.owner_id = m.returns and o.asset = r.asset;
  with settled as (
    update fund_reservations r
    set released_at = case when not t.live then coalesce(r.released_at, clock_timestamp()) end,
      fee_counted_usd = fee_counted(r.fee_usd, r.fee, t.paid, t.ended)
    from (
      select t.account_id, t.id, t.fee_paid::numeric as paid, t.ended_at is not null as ended,
        t.status in ('awaiting_approval', 'reserved', 'signed', 'broadcast') and (t.block_number is null or t.reverted) as live
      from jsonb_to_recordset(p_moves) as m(account uuid, id uuid)
        join wallet_transactions t on t.account_id = m.account and t.id = m.id) t
    where r.account_id = t.account_id and r.owner_id = t.id
      and ((r.released_at is null) <> t.live or r.fee_counted_usd is distinct from fee_counted(r.fee_usd, r.fee, t.paid, t.ended))
    returning r.account_id, r.wallet_id, r.fee_day, new.fee_counted_usd - old.fee_counted_usd as more
  )
  update cap_days d set fees_usd = d.fees_usd + s.more
  from (select account_id, wallet_id, fee_day, sum(more) as more from settled where more <> 0 group by 1, 2, 3 order by 1, 2, 3) s
  where (d.account_id, d.wallet_id, d.day) = (s.account_id, s.wallet_id, s.fee_day);
end $$;
