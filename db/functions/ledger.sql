-- Locks are taken in one order: hold, the run that its charge counts for, day counters (by key and selector), the account's
-- `customer` ledger account, then its counter-account. So a transaction that charges once cannot deadlock with another.

-- A function cannot be replaced by one with more result columns.
drop function if exists ledger_post(uuid, text, text, text, bigint, text, int, text, text, uuid);
drop function if exists ledger_charge(uuid, uuid[], text[], bigint, text, text, int, text, text, uuid);
drop function if exists ledger_close(uuid, uuid, bigint, int);
drop function if exists ledger_hold(uuid, uuid, uuid[], text[], bigint, text, text, text, uuid, int);

-- Returns a new id for a ledger transaction.
create or replace function new_ledger_id() returns uuid language sql volatile as $$ select uuidv7() $$;

-- Posts a balanced transaction: `p_amount` to the account's spendable credits, its opposite to the counter-account of
-- the source. Returns `posted` with the new total, and `low` if this took it below the account's threshold; `exists` if
-- the reference was posted before with the same kind and amount, else `differs`; `insufficient` if it would take more
-- than is free.
create or replace function ledger_post(
  p_account uuid, p_kind text, p_reference text, p_description text, p_amount bigint, p_operation text, p_units int,
  p_price_version text, p_request text, p_project uuid, out outcome text, out id uuid, out total bigint, out low boolean
) language plpgsql as $$
declare
  customer ledger_accounts;
  known ledger_transactions;
  counter bigint;
  newest uuid;
begin
  insert into ledger_accounts (account_id, book) values (p_account, 'customer'), (p_account, p_kind) on conflict do nothing;
  select * into customer from ledger_accounts a where a.account_id = p_account and a.book = 'customer' for update;
  select * into known from ledger_transactions t where t.account_id = p_account and t.reference = p_reference;
  if found then
    id := known.id;
    outcome := case when known.kind = p_kind and exists (
      select from ledger_entries e
      where e.account_id = p_account and e.transaction_id = known.id and e.book = 'customer' and e.amount = p_amount
    ) then 'exists' else 'differs' end;
    return;
  end if;
  if customer.posted - customer.held + p_amount < 0 then outcome := 'insufficient'; return; end if;

  -- Created under the lock, so that ids are in the order of the balances.
  id := new_ledger_id();
  select t.id into newest from ledger_transactions t where t.account_id = p_account order by t.id desc limit 1;
  -- After a failover the database's clock may be behind that of the old primary.
  if id <= newest then id := uuidv7(uuid_extract_timestamp(newest) - clock_timestamp() + interval '1 ms'); end if;
  insert into ledger_transactions (account_id, id, kind, reference, description, operation, units, price_version, request_id, project_id, at)
  values (p_account, ledger_post.id, p_kind, p_reference, p_description, p_operation, p_units, p_price_version, p_request, p_project,
    uuid_extract_timestamp(ledger_post.id));
  update ledger_accounts a set posted = a.posted + p_amount where a.account_id = p_account and a.book = 'customer';
  update ledger_accounts a set posted = a.posted - p_amount
  where a.account_id = p_account and a.book = p_kind returning a.posted into counter;
  insert into ledger_entries (account_id, transaction_id, book, amount, balance_after)
  values (p_account, ledger_post.id, 'customer', p_amount, customer.posted + p_amount), (p_account, ledger_post.id, p_kind, -p_amount, counter);
  outcome := 'posted';
  total := customer.posted + p_amount;
  low := total < customer.low_threshold and customer.posted >= customer.low_threshold;
end $$;

create or replace function utc_today() returns date language sql as $$ select (clock_timestamp() at time zone 'utc')::date $$;

-- Returns why a charge of `p_amount` would be refused on that day, or null: a `creditsPerDay` of the key or of an
-- ancestor (the highest is named), or the balance. `p_keys` is the key's chain up to its root, `p_selectors` the
-- call's, most exact first.
create or replace function ledger_refusal(p_account uuid, p_keys uuid[], p_selectors text[], p_amount bigint, p_day date)
returns jsonb language sql stable as $$
  select coalesce((
    select jsonb_build_object('code', 'limit_exhausted', 'keyId', l.key_id, 'selector', l.selector, 'limit', l.credits_per_day)
    from key_limits l
    left join key_days d on d.account_id = l.account_id and d.key_id = l.key_id and d.selector = l.selector and d.day = p_day
    where l.account_id = p_account and l.key_id = any(p_keys) and (l.selector = '*' or l.selector = any(p_selectors))
      and coalesce(d.used, 0) + p_amount > l.credits_per_day
    order by array_position(p_keys, l.key_id) desc, array_position(p_selectors, l.selector) desc nulls first
    limit 1
  ), (
    select jsonb_build_object('code', 'insufficient_credits', 'available', coalesce(max(a.posted - a.held), 0))
    from ledger_accounts a where a.account_id = p_account and a.book = 'customer'
    having coalesce(max(a.posted - a.held), 0) < p_amount
  ))
$$;

-- Locks the day counters that cover a charge, in order, and adds to them.
create or replace function ledger_count(p_account uuid, p_keys uuid[], p_selectors text[], p_amount bigint, p_day date)
returns void language plpgsql as $$
begin
  perform from key_days d
  where d.account_id = p_account and d.key_id = any(p_keys) and (d.selector = '*' or d.selector = any(p_selectors)) and d.day = p_day
  order by d.key_id, d.selector for update;
  if p_amount = 0 then return; end if;
  update key_days d set used = d.used + p_amount
  where d.account_id = p_account and d.key_id = any(p_keys) and (d.selector = '*' or d.selector = any(p_selectors)) and d.day = p_day;
end $$;

-- Counts `p_amount` against every covering `creditsPerDay` and locks the account's ledger; or returns the refusal.
create or replace function ledger_reserve(p_account uuid, p_keys uuid[], p_selectors text[], p_amount bigint, p_day date)
returns jsonb language plpgsql as $$
declare
  refusal jsonb;
begin
  insert into key_days (account_id, key_id, selector, day)
  select l.account_id, l.key_id, l.selector, p_day from key_limits l
  where l.account_id = p_account and l.key_id = any(p_keys) and (l.selector = '*' or l.selector = any(p_selectors))
    and l.credits_per_day is not null
  order by l.key_id, l.selector
  on conflict do nothing;
  perform ledger_count(p_account, p_keys, p_selectors, 0, p_day);
  perform from ledger_accounts a where a.account_id = p_account and a.book = 'customer' for update;
  refusal := ledger_refusal(p_account, p_keys, p_selectors, p_amount, p_day);
  if refusal is null then perform ledger_count(p_account, p_keys, p_selectors, p_amount, p_day); end if;
  return refusal;
end $$;

-- Charges at once, at most once per reference. Returns the refusal, or the total after the charge and whether that made it
-- low; neither if it was charged before.
create or replace function ledger_charge(
  p_account uuid, p_keys uuid[], p_selectors text[], p_amount bigint, p_reference text, p_description text, p_units int,
  p_price_version text, p_request text, p_project uuid, out refusal jsonb, out total bigint, out low boolean
) language plpgsql as $$
declare
  today date := utc_today();
  known boolean := exists (select from ledger_transactions t where t.account_id = p_account and t.reference = p_reference);
  posted record;
begin
  if not known then refusal := ledger_reserve(p_account, p_keys, p_selectors, p_amount, today); end if;
  if refusal is not null then return; end if;
  posted := ledger_post(p_account, 'usage', p_reference, p_description, -p_amount, p_selectors[1], p_units, p_price_version, p_request, p_project);
  if posted.outcome not in ('posted', 'exists') then raise 'Charge % was % before.', p_reference, posted.outcome; end if;
  if posted.outcome = 'exists' and not known then perform ledger_count(p_account, p_keys, p_selectors, -p_amount, today); end if;
  total := posted.total;
  low := posted.low;
end $$;

-- Holds credits under an id of the caller's choice; a repeat of the same hold changes nothing. Returns the refusal or
-- null.
create or replace function ledger_hold(
  p_account uuid, p_id uuid, p_keys uuid[], p_selectors text[], p_amount bigint, p_description text, p_price_version text,
  p_request text, p_project uuid, p_run uuid, p_seconds int
) returns jsonb language plpgsql as $$
declare
  refusal jsonb;
  today date := utc_today();
begin
  insert into ledger_holds (account_id, id, key_ids, selectors, day, amount, state, description, price_version, request_id, project_id, run_id, expires_at)
  values (p_account, p_id, p_keys, p_selectors, today, p_amount, 'open', p_description, p_price_version, p_request, p_project, p_run,
    clock_timestamp() + make_interval(secs => p_seconds))
  on conflict (account_id, id) do nothing;
  if not found then
    perform from ledger_holds h where h.account_id = p_account and h.id = p_id and h.amount = p_amount;
    if not found then raise 'Hold % exists with another amount.', p_id; end if;
    return null;
  end if;
  refusal := ledger_reserve(p_account, p_keys, p_selectors, p_amount, today);
  if refusal is not null then
    delete from ledger_holds h where h.account_id = p_account and h.id = p_id;
    return refusal;
  end if;
  update ledger_accounts a set held = a.held + p_amount where a.account_id = p_account and a.book = 'customer';
  return null;
end $$;

-- Ends a hold: charges `p_amount` of it (0 releases it) and returns the rest. Returns the charge, the total after it, and
-- whether it made that low; a hold that has ended stays as it is and returns its earlier charge.
create or replace function ledger_close(p_account uuid, p_id uuid, p_amount bigint, p_units int, out charged bigint, out total bigint, out low boolean)
language plpgsql as $$
declare
  hold ledger_holds;
begin
  select * into hold from ledger_holds h where h.account_id = p_account and h.id = p_id for update;
  if not found then raise 'No hold %.', p_id; end if;
  charged := coalesce(hold.captured, 0);
  if hold.state <> 'open' then return; end if;
  if p_amount > hold.amount then raise 'Hold % has %, not %.', p_id, hold.amount, p_amount; end if;
  update ledger_holds h set state = case when p_amount > 0 then 'captured' else 'released' end, captured = p_amount
  where h.account_id = p_account and h.id = p_id;
  if p_amount > 0 and hold.run_id is not null then
    update runs r set charged_credits = r.charged_credits + p_amount where r.account_id = p_account and r.id = hold.run_id;
  end if;
  if p_amount < hold.amount then perform ledger_count(p_account, hold.key_ids, hold.selectors, p_amount - hold.amount, hold.day); end if;
  update ledger_accounts a set held = a.held - hold.amount where a.account_id = p_account and a.book = 'customer';
  if p_amount > 0 then
    select p.total, p.low into ledger_close.total, ledger_close.low from ledger_post(p_account, 'usage', 'hold:' || p_id, hold.description, -p_amount, hold.selectors[1], p_units,
      hold.price_version, hold.request_id, hold.project_id) p;
  end if;
  charged := p_amount;
end $$;

-- Ends several holds as `ledger_close` does: `account`, `id` and `credits` of each. All locks are taken first, in key
-- order. Returns the account's total after each charge, and whether it made that low.
create or replace function ledger_close_all(p_closed jsonb) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if jsonb_array_length(p_closed) > 1 then
    perform from ledger_holds h join jsonb_to_recordset(p_closed) as c(account uuid, id uuid) on (h.account_id, h.id) = (c.account, c.id)
    order by h.account_id, h.id for update of h;
    perform from runs r
    join (select distinct h.account_id, h.run_id from jsonb_to_recordset(p_closed) as c(account uuid, id uuid, credits bigint)
        join ledger_holds h on (h.account_id, h.id) = (c.account, c.id) and h.state = 'open' and h.run_id is not null and c.credits > 0) o
      on (r.account_id, r.id) = (o.account_id, o.run_id)
    order by r.account_id, r.id for no key update of r;
    perform from key_days d
    join (select distinct h.account_id, key_id, h.day from jsonb_to_recordset(p_closed) as c(account uuid, id uuid, credits bigint)
        join ledger_holds h on (h.account_id, h.id) = (c.account, c.id) and h.state = 'open' and h.amount > c.credits,
        unnest(h.key_ids) key_id) k
      on (d.account_id, d.key_id, d.day) = (k.account_id, k.key_id, k.day)
    order by d.account_id, d.key_id, d.selector for update of d;
    perform from ledger_accounts a
    where a.book = 'customer' and a.account_id in (select c.account from jsonb_to_recordset(p_closed) as c(account uuid))
    order by a.account_id for update;
  end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object('account', c.account, 'id', c.id, 'total', l.total, 'low', l.low))
    from (select * from jsonb_to_recordset(p_closed) as r(account uuid, id uuid, credits bigint) order by account, id) c,
      ledger_close(c.account, c.id, c.credits, 1) l), '[]');
end $$;
