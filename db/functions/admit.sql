-- Returns the smallest UUIDv7 of a moment.
create or replace function uuid_floor(p_at timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(greatest((extract(epoch from p_at) * 1000)::bigint, 0)), 12, '0') || '70008000000000000000')::uuid
$$;

-- Restores the counters of a limit after a crash emptied them, from the audit events of the last minute. Uses now()
-- because clock_timestamp() is volatile and would prevent an index search.
drop function if exists rebuild_gate(uuid, uuid, text);
create or replace function rebuild_counters(p_account uuid, p_key uuid, p_selector text) returns void language sql as $$
  insert into rate_limit_counters (key_id, selector, at, admitted)
  select p_key, p_selector, coalesce(array_agg(at order by at), '{}'), coalesce(array_agg(n order by at), '{}')
  from (
    select (extract(epoch from max(e.at)) * 1000)::bigint as at, count(*)::int as n
    from key_branches b
    join audit_events e on e.account_id = b.account_id and e.actor_id = b.key_id
    where b.account_id = p_account and b.above_id = p_key and e.id >= uuid_floor(now() - interval '61 seconds') and e.counted
      and (p_selector = '*' or e.selector = p_selector or starts_with(e.selector, p_selector || '.'))
    group by date_trunc('second', e.at)
  ) seconds
  on conflict do nothing
$$;

-- Returns the n-th lease of a batch, so that a batch can be released by its name alone.
create or replace function lease_of(p_batch uuid, p_n bigint) returns uuid language sql immutable parallel safe as $$
  select (left(p_batch::text, 24) || lpad(to_hex(p_n), 12, '0'))::uuid
$$;

-- Decides a batch of calls in one round trip: who calls, whether the key and its whole chain may (scope, service,
-- operation, in this order), and how many of the group's equal calls the limits admit; counts and leases those.
--
-- p_calls: [{ hash, audiences (the resources for which an access token may be), scope, service,
--            selectors: [most exact … aggregate], exact, registeredAt, serviceRegisteredAt, count (of the group's calls),
--            project, endUser, metered, continues (a run) }], times in Unix milliseconds.
-- p_batch: the name of the leases.
-- Returns one object per group, in order; see `Verdict` in server/operation/admission.ts.
drop function if exists admit(jsonb);
create or replace function admit(p_calls jsonb, p_batch uuid default gen_random_uuid()) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  answers jsonb := '[]';
  answer jsonb;
  call record;
  caller api_keys;
  callers api_keys[] := '{}';
  chain record;
  counters record;
  limits record;
  all_accounts uuid[] := '{}';
  all_keys uuid[] := '{}';
  all_selectors text[] := '{}';
  at_ms bigint;
  wanted int;
  granted int;
  free int;
  denied jsonb;
  refused jsonb;
  retry_ms bigint;
  states jsonb;
  project_status text;
  leased bigint := 0;
  frozen uuid[] := frozen_ids();
begin
  for call in select * from jsonb_to_recordset(p_calls) as c(hash text, audiences text[], selectors text[])
  loop
    caller := null;
    if call.audiences is null then
      select * into caller from api_keys k where k.hash = decode(call.hash, 'hex');
    else
      select k.* into caller from oauth_tokens t
      join oauth_grants g on g.account_id = t.account_id and g.key_id = t.key_id
      join api_keys k on k.account_id = t.account_id and k.id = t.key_id
      where t.hash = decode(call.hash, 'hex') and t.kind = 'access' and t.expires_at > clock_timestamp() and g.resource = any(call.audiences);
    end if;
    callers := callers || caller;
    if caller.limited then
      select all_accounts || array_agg(l.account_id), all_keys || array_agg(l.key_id), all_selectors || array_agg(l.selector)
      into all_accounts, all_keys, all_selectors
      from key_limits l
      where l.account_id = caller.account_id and l.key_id = any(caller.chain) and (l.selector = '*' or l.selector = any(call.selectors));
    end if;
  end loop;

  -- Counters are inserted, then locked, for the whole batch in one global order, so that batches of other nodes
  -- cannot deadlock with it.
  if cardinality(all_keys) > 0 then
    perform rebuild_counters(missing.account_id, missing.key_id, missing.selector)
    from (
      select distinct wanted_limit.account_id, wanted_limit.key_id, wanted_limit.selector
      from unnest(all_accounts, all_keys, all_selectors) wanted_limit(account_id, key_id, selector)
      where not exists (select from rate_limit_counters r where r.key_id = wanted_limit.key_id and r.selector = wanted_limit.selector)
      order by 2, 3) missing;
    perform from rate_limit_counters r where (r.key_id, r.selector) in (select * from unnest(all_keys, all_selectors))
    order by r.key_id, r.selector for update;
  end if;

  at_ms := (extract(epoch from clock_timestamp()) * 1000)::bigint;

  for call in
    select * from rows from (jsonb_to_recordset(p_calls) as (
      hash text, scope text, service text, selectors text[], exact boolean, "registeredAt" bigint,
      "serviceRegisteredAt" bigint, count int, project uuid, "endUser" text, metered boolean, continues boolean)) with ordinality
  loop
    wanted := call.count;
    caller := callers[call.ordinality];
    if caller.id is null then
      answers := answers || jsonb_build_object('admitted', 0, 'code', 'unauthenticated');
      continue;
    end if;
    -- A run that is under way goes on to its next step; its worker then hands it back.
    if caller.account_id = any(frozen) and call.continues is not true then
      answers := answers || jsonb_build_object('admitted', 0, 'code', 'service_unavailable');
      continue;
    end if;

    select * into chain from judge_chain(caller.account_id, caller.chain, at_ms, call.scope, call.service, call.selectors, call.exact,
      call."registeredAt", call."serviceRegisteredAt");

    answer := jsonb_build_object(
      'at', at_ms, 'accountId', caller.account_id, 'keyId', caller.id, 'label', caller.label, 'chain', caller.chain,
      'depth', caller.depth, 'scopes', caller.scopes, 'allowedServices', caller.allowed_services,
      'renewed', caller.expiry_mode = 'renewed_by_use', 'boundProjectId', caller.project_id,
      'boundEndUserId', caller.end_user_id, 'privacyTier', caller.privacy_tier);

    if chain.revoked_by is not null or chain.expired_by is not null then
      answers := answers || (answer || jsonb_build_object('admitted', 0,
        'code', dead_key_code(caller, chain.revoked_by, chain.expired_by, at_ms),
        'refusedBy', coalesce(chain.revoked_by, chain.expired_by)));
      continue;
    end if;
    denied := access_denial(chain.scope_by, chain.service_by, chain.operation_by);
    if denied is not null then
      answers := answers || (answer || jsonb_build_object('admitted', 0, 'refusedBy', denied -> 'keyId', 'code',
        case denied ->> 'check' when 'scope' then 'scope_missing' else (denied ->> 'check') || '_not_allowed' end));
      continue;
    end if;

    granted := wanted;
    states := '[]';
    refused := null;
    retry_ms := 0;
    if caller.limited then
      -- Computes how many of the group every limit admits; if several are full, the highest key of the chain is
      -- named.
      for counters in
        select r.key_id, r.selector, r.active, l.requests_per_minute, l.max_concurrent, coalesce(sum(u.n), 0)::int as used
        from key_limits l
        join rate_limit_counters r on r.key_id = l.key_id and r.selector = l.selector
        left join lateral unnest(r.at, r.admitted) u(at, n) on u.at > at_ms - 60000
        where l.account_id = caller.account_id and l.key_id = any(caller.chain) and (l.selector = '*' or l.selector = any(call.selectors))
          and (l.requests_per_minute is not null or l.max_concurrent is not null)
        group by r.key_id, r.selector, r.active, l.requests_per_minute, l.max_concurrent
        order by array_position(caller.chain, r.key_id) desc, array_position(call.selectors, r.selector) desc nulls first
      loop
        free := counters.requests_per_minute - counters.used;
        if free < granted then
          granted := greatest(free, 0);
          refused := jsonb_build_object('operation', counters.selector, 'kind', 'requestsPerMinute', 'keyId', counters.key_id, 'limit', counters.requests_per_minute);
        end if;
        free := counters.max_concurrent - counters.active;
        if free < granted then
          granted := greatest(free, 0);
          refused := jsonb_build_object('operation', counters.selector, 'kind', 'maxConcurrent', 'keyId', counters.key_id, 'limit', counters.max_concurrent);
        end if;
      end loop;

      -- Counts the admitted calls: one bucket per second with the time of its last call; buckets of the last minute
      -- are kept.
      with counted as (
        update rate_limit_counters r
        set active = r.active + case when l.max_concurrent is null then 0 else granted end,
          (at, admitted) = (
            select coalesce(array_agg(b.at order by b.at), '{}'), coalesce(array_agg(b.n order by b.at), '{}')
            from (
              select max(u.at) as at, sum(u.n)::int as n
              from (
                select k.at, k.n from unnest(r.at, r.admitted) k(at, n) where k.at > at_ms - 60000
                union all select at_ms, granted where granted > 0 and l.requests_per_minute is not null) u
              group by u.at / 1000) b)
        from key_limits l
        where l.account_id = caller.account_id and l.key_id = any(caller.chain) and (l.selector = '*' or l.selector = any(call.selectors))
          and (l.requests_per_minute is not null or l.max_concurrent is not null)
          and r.key_id = l.key_id and r.selector = l.selector
        returning r.key_id, r.selector, l.requests_per_minute, l.max_concurrent, r.active, r.at[1] + 60000 - at_ms as reset_ms,
          coalesce((select sum(n) from unnest(r.admitted) n), 0) as used)
      select
        jsonb_agg(jsonb_build_object('selector', selector, 'kind', 'requestsPerMinute', 'limit', requests_per_minute,
          'remaining', greatest(requests_per_minute - used, 0), 'resetMs', coalesce(reset_ms, 0))) filter (where requests_per_minute is not null) as minutes,
        jsonb_agg(jsonb_build_object('selector', selector, 'kind', 'maxConcurrent', 'limit', max_concurrent,
          'remaining', greatest(max_concurrent - active, 0), 'resetMs', null)) filter (where max_concurrent is not null) as places,
        greatest(max(reset_ms) filter (where used >= requests_per_minute), max(1000) filter (where active >= max_concurrent), 0) as retry_ms,
        array_agg(key_id order by key_id, selector) filter (where max_concurrent is not null) as leased_keys,
        array_agg(selector order by key_id, selector) filter (where max_concurrent is not null) as leased_selectors
      into limits from counted;
      states := coalesce(limits.minutes, '[]') || coalesce(limits.places, '[]');
      retry_ms := limits.retry_ms;
      if limits.leased_keys is not null then
        with made as (
          insert into leases (id, key_ids, selectors, expires_at)
          select lease_of(p_batch, leased + n), limits.leased_keys, limits.leased_selectors, clock_timestamp() + interval '1 minute'
          from generate_series(1, granted) n
          returning id)
        select answer || jsonb_build_object('leases', jsonb_agg(id), 'leased',
          jsonb_build_object('keyIds', limits.leased_keys, 'selectors', limits.leased_selectors)) into answer from made;
        leased := leased + granted;
      end if;

      if call.metered then
        select states || coalesce(jsonb_agg(jsonb_build_object('selector', l.selector, 'kind', 'creditsPerDay', 'limit', l.credits_per_day,
          'remaining', greatest(l.credits_per_day - coalesce(d.used, 0), 0),
          'resetMs', (extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day') * 1000)::bigint - at_ms)), '[]') into states
        from key_limits l
        left join key_days d on d.account_id = l.account_id and d.key_id = l.key_id and d.selector = l.selector and d.day = (now() at time zone 'utc')::date
        where l.account_id = caller.account_id and l.key_id = any(caller.chain) and (l.selector = '*' or l.selector = any(call.selectors))
          and l.credits_per_day is not null;
      end if;
    end if;

    if coalesce(call.project, caller.project_id) is not null then
      select case when p.archived_at is null then 'active' else 'archived' end into project_status
      from projects p where p.account_id = caller.account_id and p.id = coalesce(call.project, caller.project_id);
      answer := answer || jsonb_build_object('projectStatus', project_status);
    end if;
    if call."endUser" is not null or caller.end_user_id is not null then
      answer := answer || jsonb_build_object(
        'endUserId', (select e.id from end_users e where e.account_id = caller.account_id and e.external_id = call."endUser"),
        'endUser', coalesce(call."endUser", (select e.external_id from end_users e where e.account_id = caller.account_id and e.id = caller.end_user_id)));
    end if;
    answers := answers || (answer || jsonb_build_object('admitted', granted, 'limits', states)
      || case when granted < wanted then jsonb_build_object('code', 'limit_exhausted', 'limit', refused, 'retryMs', retry_ms) else '{}' end);
  end loop;
  return answers;
end $$;

-- Releases the leases of ended calls, in the lock order of admission.
create or replace function release_leases(p_leases uuid[]) returns void language plpgsql as $$
declare
  freed_keys uuid[];
  freed_selectors text[];
  freed int[];
begin
  with gone as (delete from leases l where l.id = any(p_leases) returning l.key_ids, l.selectors)
  select array_agg(s.key_id), array_agg(s.selector), array_agg(s.n) into freed_keys, freed_selectors, freed
  from (select u.key_id, u.selector, count(*)::int as n from gone, unnest(gone.key_ids, gone.selectors) u(key_id, selector) group by 1, 2) s;
  if freed_keys is null then return; end if;
  perform from rate_limit_counters r where (r.key_id, r.selector) in (select * from unnest(freed_keys, freed_selectors))
  order by r.key_id, r.selector for update;
  update rate_limit_counters r set active = greatest(0, r.active - u.n)
  from unnest(freed_keys, freed_selectors, freed) u(key_id, selector, n)
  where r.key_id = u.key_id and r.selector = u.selector;
end $$;
