-- Reserves `p_value` of the wallet's UTC day for a resource; an earlier reservation of the resource is released
-- first. Locks the wallet's row, so that concurrent reservations and policy changes cannot both pass. Returns whether
-- it fits.
create or replace function reserve_cap(
  p_account uuid, p_wallet uuid, p_subject text, p_value numeric,
  out fits boolean, out used_usd numeric, out limit_usd numeric
) language plpgsql as $$
begin
  select (w.policy ->> 'dailyLimitUsd')::numeric into limit_usd
  from wallets w where w.account_id = p_account and w.id = p_wallet for no key update;
  perform release_cap(p_account, p_subject);
  select d.used_usd into reserve_cap.used_usd
  from cap_days d where d.account_id = p_account and d.wallet_id = p_wallet and d.day = utc_today();
  used_usd := coalesce(used_usd, 0);
  fits := limit_usd is null or used_usd + p_value <= limit_usd;
  if not fits or p_value is null then fits := coalesce(fits, false); return; end if;
  insert into cap_days as d (account_id, wallet_id, day, used_usd) values (p_account, p_wallet, utc_today(), p_value)
  on conflict (account_id, wallet_id, day) do update set used_usd = d.used_usd + excluded.used_usd;
  insert into cap_reservations (account_id, subject, wallet_id, day, value_usd)
  values (p_account, p_subject, p_wallet, utc_today(), p_value)
  on conflict (account_id, subject) do update
    set wallet_id = excluded.wallet_id, day = excluded.day, value_usd = excluded.value_usd, returned = false;
end $$;

-- Releases the resource's reservation, if any.
create or replace function release_cap(p_account uuid, p_subject text) returns void language sql as $$
  with gone as (
    update cap_reservations r set returned = true
    where r.account_id = p_account and r.subject = p_subject and not r.returned returning r.*
  )
  update cap_days d set used_usd = d.used_usd - gone.value_usd
  from gone where d.account_id = gone.account_id and d.wallet_id = gone.wallet_id and d.day = gone.day
$$;

-- Reserves the value of an order's trade for its transaction `p_trade`, on the day on which it begins. Does nothing on the
-- day for which the order has a reservation. One that has traded nothing releases its reservation of an earlier day.
create or replace function reserve_trade(
  p_account uuid, p_wallet uuid, p_order text, p_first boolean, p_trade text, p_value numeric,
  out fits boolean, out used_usd numeric, out limit_usd numeric
) language plpgsql as $$
begin
  perform lock_wallet(p_account, p_wallet);
  fits := exists (select from cap_reservations r
    where r.account_id = p_account and r.subject = p_order and r.day = utc_today() and not r.returned);
  if fits then return; end if;
  if p_first then perform release_cap(p_account, p_order); end if;
  select c.fits, c.used_usd, c.limit_usd into fits, reserve_trade.used_usd, reserve_trade.limit_usd
  from reserve_cap(p_account, p_wallet, p_trade, p_value) c;
end $$;

-- Locks the resource's reservation of a day's cap; called before credits are locked, where the reservation may be
-- returned.
create or replace function lock_cap(p_account uuid, p_subject text) returns void language plpgsql as $$
begin
  perform from cap_reservations r join cap_days d on (d.account_id, d.wallet_id, d.day) = (r.account_id, r.wallet_id, r.day)
  where r.account_id = p_account and r.subject = p_subject for no key update;
end $$;

-- Restores a reservation that a resource has returned, for the same day and regardless of the limit: the chain may
-- still execute the resource.
create or replace function retake_cap(p_account uuid, p_subject text) returns void language sql as $$
  with again as (
    update cap_reservations r set returned = false
    where r.account_id = p_account and r.subject = p_subject and r.returned returning r.*
  )
  update cap_days d set used_usd = d.used_usd + again.value_usd
  from again where d.account_id = again.account_id and d.wallet_id = again.wallet_id and d.day = again.day
$$;
