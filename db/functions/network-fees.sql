-- Returns the price of a network's native asset for fee limits: the higher of the current and the average price.
-- While prices are unreliable, these are the last reliable ones, so that limits stay in force.
create or replace function native_price(p_network text) returns numeric language sql stable as $$
  select greatest(p.spot_usd, p.average_usd) from asset_prices p where p.network = p_network and p.asset = 'native'
$$;

-- Counts the maximum network fee of a transaction, `p_fee` in the native asset, against the wallet's UTC day,
-- replacing an earlier count for it. Returns the fee's value, null without a price. Refused as `fees` if it exceeds a
-- limit of the policy or, if the policy has none, of the installation, `p_limits`; unless `p_limited` is false.
create or replace function count_fee(
  p_account uuid, p_wallet uuid, p_transaction uuid, p_network text, p_fee numeric, p_limits jsonb, p_limited boolean default true
) returns numeric language plpgsql as $$
declare
  worth numeric := trim_scale(p_fee * native_price(p_network));
  own jsonb;
  limits jsonb;
  counted numeric;
begin
  select jsonb_strip_nulls(jsonb_build_object('maxNetworkFeeUsd', w.policy -> 'maxNetworkFeeUsd',
    'dailyNetworkFeeUsd', w.policy -> 'dailyNetworkFeeUsd')) into own
  from wallets w where w.account_id = p_account and w.id = p_wallet;
  limits := p_limits || own;
  if p_limited and (worth is null and own <> '{}' or worth > (limits ->> 'maxNetworkFeeUsd')::numeric) then
    perform refuse_if('fees', jsonb_build_object('transaction', p_transaction, 'mostUsd', worth::text, 'limits', limits));
  end if;
  update cap_days d set fees_usd = d.fees_usd - r.fee_counted_usd from fund_reservations r
  where r.account_id = p_account and r.owner_id = p_transaction and r.asset = 'native' and r.fee_counted_usd > 0
    and (d.account_id, d.wallet_id, d.day) = (r.account_id, r.wallet_id, r.fee_day);
  if worth is null then return null; end if;
  insert into cap_days as d (account_id, wallet_id, day, fees_usd) values (p_account, p_wallet, utc_today(), worth)
  on conflict (account_id, wallet_id, day) do update set fees_usd = d.fees_usd + excluded.fees_usd returning d.fees_usd into counted;
  if p_limited and counted > (limits ->> 'dailyNetworkFeeUsd')::numeric then
    perform refuse_if('fees', jsonb_build_object('transaction', p_transaction, 'mostUsd', worth::text,
      'usedUsd', trim_scale(counted - worth)::text, 'limits', limits));
  end if;
  return worth;
end $$;

-- Reserves and counts the possible cost of transactions' newest signed versions, if it is higher than at creation or
-- if another day has begun: `account`, `id` and `max_fee` per gas of each. Transactions that the platform sends to
-- fill a nonce gap are counted regardless of limits.
create or replace function reserve_fees(p_signed jsonb, p_limits jsonb) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  signed record;
  worth numeric;
begin
  for signed in
    select t.account_id, t.wallet_id, t.id, t.network, t.caller_id is not null as limited, greatest(r.fee, t.gas * s.max_fee * 1e-18) as fee
    from jsonb_to_recordset(p_signed) as s(account uuid, id uuid, max_fee numeric)
      join wallet_transactions t on t.account_id = s.account and t.id = s.id
      join fund_reservations r on r.account_id = t.account_id and r.owner_id = t.id and r.asset = 'native'
    where r.fee < t.gas * s.max_fee * 1e-18 or r.fee_day < utc_today()
    order by t.account_id, t.wallet_id, t.id
  loop
    worth := count_fee(signed.account_id, signed.wallet_id, signed.id, signed.network, signed.fee, p_limits, signed.limited);
    update fund_reservations r set fee = signed.fee, fee_usd = worth, fee_counted_usd = worth, fee_day = utc_today()
    where r.account_id = signed.account_id and r.owner_id = signed.id and r.asset = 'native';
  end loop;
end $$;
