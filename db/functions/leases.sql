-- Releases leases of ended calls, and all leases of these batches of `admit`.
create or replace function give_back_leases(p_leases uuid[], p_batches uuid[]) returns void language sql as $$
  select release_leases(p_leases || array(
    select l.id from unnest(p_batches) batch join leases l on l.id between lease_of(batch, 0) and lease_of(batch, 281474976710655)))
$$;

-- Returns calls as the rows of their leases.
create or replace function leases_of(p_calls jsonb) returns table (id uuid, account_id uuid, key_ids uuid[], selectors text[])
language sql immutable as $$
  select * from jsonb_to_recordset(p_calls) as call(id uuid, "accountId" uuid, "keyIds" uuid[], selectors text[])
$$;

-- Renews the leases of a process's running calls, `[{ id, accountId, keyIds, selectors }]`, and releases expired ones, whose
-- process died. `p_sign` is a lease of the process itself, without limits. If it is gone, a crash of the database or a pause
-- of the process has ended the others too: they are counted again, and the function returns true.
create or replace function keep_leases(p_sign uuid, p_calls jsonb) returns boolean language plpgsql as $$
declare
  lost boolean;
begin
  update leases set expires_at = clock_timestamp() + interval '1 minute'
  where id = p_sign or id in (select (call ->> 'id')::uuid from jsonb_array_elements(p_calls) call);
  lost := not exists (select from leases where id = p_sign);
  if lost then
    perform rebuild_counters(missing.account_id, missing.key_id, missing.selector)
    from (
      select distinct call.account_id, counted.key_id, counted.selector
      from leases_of(p_calls) call, unnest(call.key_ids, call.selectors) counted(key_id, selector)
      where not exists (select from rate_limit_counters r where r.key_id = counted.key_id and r.selector = counted.selector)
      order by 2, 3) missing;
    perform from rate_limit_counters r
    where (r.key_id, r.selector) in (select counted.* from leases_of(p_calls) call, unnest(call.key_ids, call.selectors) counted)
    order by r.key_id, r.selector for update;
    with restored as (
      insert into leases (id, key_ids, selectors, expires_at)
      select id, key_ids, selectors, clock_timestamp() + interval '1 minute' from leases_of(p_calls)
      union all select p_sign, '{}', '{}', clock_timestamp() + interval '1 minute'
      on conflict do nothing returning key_ids, selectors)
    update rate_limit_counters r set active = r.active + counted.n
    from (
      select u.key_id, u.selector, count(*)::int as n
      from restored, unnest(restored.key_ids, restored.selectors) u(key_id, selector) group by 1, 2) counted
    where r.key_id = counted.key_id and r.selector = counted.selector;
  end if;
  perform release_leases(array(
    select id from leases where expires_at < clock_timestamp() order by expires_at limit 1000 for update skip locked));
  return lost;
end $$;
