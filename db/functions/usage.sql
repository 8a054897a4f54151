-- Returns the outcome of the requests of an hourly row. A row from before the status was counted (0) has one only if all of
-- its requests had the same.
create or replace function outcome_of(p_status int, p_requests int, p_errors int, p_limited int) returns text
language sql immutable parallel safe as $$
  select case
    when p_status >= 500 then 'error'
    when p_status >= 400 then 'denied'
    when p_status > 0 or p_errors + p_limited = 0 then 'allowed'
    when p_limited = p_requests then 'denied'
  end
$$;

-- Returns the usage of an account's whole hours from `p_from` until before `p_to`. The status is 0 for all statuses of an hour
-- from before they were counted.
create or replace function usage_of_hours(p_account uuid, p_from timestamptz, p_to timestamptz) returns table (
  hour timestamptz, operation text, selector text, actor_type text, actor_id uuid, project_id uuid, end_user_id uuid,
  status int, requests int, errors int, limited int, charged_credits bigint, histogram int[]
) language sql stable as $$
  select u.hour, u.operation, u.selector, u.actor_type, u.actor_id, u.project_id, u.end_user_id, 0, u.requests, u.errors,
    u.limited, u.charged_credits, u.histogram
  from usage_hours u where u.account_id = p_account and u.hour >= p_from and u.hour < p_to
  union all
  select u.hour, u.operation, u.selector, u.actor_type, u.actor_id, u.project_id, u.end_user_id, u.status, u.requests, u.errors,
    u.limited, u.charged_credits, u.histogram
  from usage_status_hours u where u.account_id = p_account and u.hour >= p_from and u.hour < p_to
$$;

-- Deletes the usage of all accounts from before that time.
create or replace function drop_usage(p_before timestamptz) returns void language sql as $$
  delete from usage_hours u where u.hour < p_before;
  delete from usage_status_hours u where u.hour < p_before;
$$;

-- Usage from `p_from` until before `p_to` (null: without end), exact to the millisecond: whole hours as the sealer counted
-- them, the hours that either end cuts from their events, and the events that wait to be chained. By minutes, all of it
-- from events. A null project, end user, operation, key, outcome, status or member selects all. One snapshot for both queries (the function
-- is stable), so nothing is counted twice or missed.
drop function if exists usage_between(uuid, timestamptz, timestamptz, uuid, uuid) cascade;
drop function if exists usage_between(uuid, timestamptz, timestamptz, uuid, uuid, text, uuid, boolean) cascade;
drop function if exists usage_between(uuid, timestamptz, timestamptz, uuid, uuid, text, uuid, text, boolean) cascade;
drop function if exists usage_between(uuid, timestamptz, timestamptz, uuid, uuid, text, uuid, text, int, boolean) cascade;
create or replace function usage_between(
  p_account uuid, p_from timestamptz, p_to timestamptz, p_project uuid, p_end_user uuid, p_operation text, p_key uuid,
  p_outcome text, p_status int, p_member uuid, p_minutes boolean
) returns table (
  at timestamptz, operation text, selector text, actor_type text, actor_id uuid, project_id uuid, end_user_id uuid,
  status int, requests bigint, errors bigint, limited bigint, charged_credits bigint, histogram int[]
) language plpgsql stable as $$
#variable_conflict use_column
declare
  first_whole timestamptz := case when p_minutes then '10000-01-01Z'
    else hour_of(p_from + interval '1 hour' - interval '1 millisecond') end;
  after_whole timestamptz := coalesce(hour_of(p_to), '10000-01-01Z');
begin
  -- In hourly rows the nil UUID means none; a caller who asks for it matches nothing.
  if or_nil(null) in (p_project, p_end_user, p_key, p_member) then return; end if;

  return query
  select u.hour, u.operation, u.selector, u.actor_type, u.actor_id, u.project_id, u.end_user_id, u.status,
    u.requests::bigint, u.errors::bigint, u.limited::bigint, u.charged_credits, u.histogram
  from usage_of_hours(p_account, first_whole, after_whole) u
  where (p_project is null or u.project_id = p_project) and (p_end_user is null or u.end_user_id = p_end_user)
    and (p_operation is null or u.operation = p_operation) and (p_key is null or u.actor_id = p_key and u.actor_type = 'key')
    and (p_member is null or u.actor_id = p_member and u.actor_type = 'member')
    and (p_outcome is null or p_outcome = outcome_of(u.status, u.requests, u.errors, u.limited))
    and (p_status is null or u.status = p_status);

  return query
  select case when p_minutes then date_trunc('minute', e.at) else hour_of(e.at) end, e.operation, e.selector,
    min(e.actor_type), or_nil(e.actor_id), or_nil(e.project_id), or_nil(e.end_user_id), e.status,
    count(*) filter (where is_request(e.operation)), count(*) filter (where is_error(e.status)),
    count(*) filter (where e.status = 429), sum(e.charged_credits)::bigint,
    duration_histogram(e.duration_ms) filter (where is_request(e.operation))
  from (
    select p.at, p.operation, p.selector, p.actor_type, p.actor_id, p.project_id, p.end_user_id, p.status, p.outcome,
      p.charged_credits, p.duration_ms
    from audit_pending p
    where p.account_id = p_account and p.at >= p_from and (p_to is null or p.at < p_to)
    union all
    select a.at, a.operation, a.selector, a.actor_type, a.actor_id, a.project_id, a.end_user_id, a.status, a.outcome,
      a.charged_credits, a.duration_ms
    from (values (p_from, least(first_whole, p_to)), (greatest(first_whole, after_whole), p_to)) part(lower, upper)
    join audit_chain a on a.account_id = p_account and a.id >= uuid_floor(part.lower) and a.id < uuid_floor(part.upper)) e
  where is_used(e.operation, e.actor_id, e.charged_credits)
    and (p_project is null or e.project_id = p_project) and (p_end_user is null or e.end_user_id = p_end_user)
    and (p_operation is null or e.operation = p_operation) and (p_key is null or e.actor_id = p_key and e.actor_type = 'key')
    and (p_member is null or e.actor_id = p_member and e.actor_type = 'member')
    and (p_outcome is null or p_outcome = e.outcome) and (p_status is null or e.status = p_status)
  group by 1, 2, 3, 5, 6, 7, 8;
end $$;

-- Usage by group, and in one more row of all groups together, with percentiles of the durations. `p_services` says of
-- which service an operation is, where its selector (`services.invoke.<serviceId>…`) does not. Members' calls of the
-- operations in `p_left_out`, an array, are not counted. Processes of the previous version send no member.
drop function if exists usage_by(uuid, timestamptz, timestamptz, uuid, uuid, text, jsonb, jsonb);
drop function if exists usage_by(uuid, timestamptz, timestamptz, uuid, uuid, text, uuid, text, jsonb, jsonb);
drop function if exists usage_by(uuid, timestamptz, timestamptz, uuid, uuid, text, uuid, text, jsonb, jsonb, text);
drop function if exists usage_by(uuid, timestamptz, timestamptz, uuid, uuid, text, uuid, text, jsonb, jsonb, text, int);
create or replace function usage_by(
  p_account uuid, p_from timestamptz, p_to timestamptz, p_project uuid, p_end_user uuid, p_operation text, p_key uuid,
  p_group text, p_services jsonb, p_left_out jsonb, p_outcome text default null,
  p_status int default null, p_member uuid default null
) returns table (
  is_total boolean, key text, requests bigint, errors bigint, limited bigint, charged_credits bigint, p50_ms int, p95_ms int,
  p99_ms int
) language sql stable as $$
  with used as materialized (
    select u.requests, u.errors, u.limited, u.charged_credits, u.histogram, coalesce(case p_group
        when 'day' then to_char(u.at at time zone 'UTC', 'YYYY-MM-DD')
        when 'hour' then to_char(u.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:00.000"Z"')
        when 'minute' then to_char(u.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:00.000"Z"')
        when 'operation' then u.operation
        when 'service' then case when u.selector = u.operation then coalesce(p_services->>u.operation, 'platform-api')
          else split_part(substring(u.selector from length(u.operation) + 2), '.', 1) end
        when 'key' then u.actor_type || '.' || u.actor_id
        when 'status' then nullif(u.status, 0)::text
        when 'project' then nullif(u.project_id, or_nil(null))::text
        when 'endUser' then (select e.external_id from end_users e where e.account_id = p_account and e.id = u.end_user_id)
      end, '') as key
    from usage_between(p_account, p_from, p_to, p_project, p_end_user, p_operation, p_key, p_outcome, p_status,
      p_member, p_group = 'minute') u
    where not (u.actor_type = 'member' and p_left_out ? u.operation)
  ), counted as (
    select grouping(key) as is_total, key, sum(requests)::bigint as requests, sum(errors)::bigint as errors,
      sum(limited)::bigint as limited, sum(charged_credits)::bigint as charged_credits
    from used group by grouping sets ((key), ())
  ), buckets as (
    select key, place::int - 1 as bucket, sum(n) as n
    from used, unnest(histogram) with ordinality h(n, place)
    where n > 0
    group by key, place
  ), ranked as (
    select grouping(key) as is_total, key, bucket,
      sum(sum(n)) over (partition by grouping(key), key order by bucket) as rank,
      sum(sum(n)) over (partition by grouping(key), key) as total
    from buckets group by grouping sets ((key, bucket), (bucket))
  ), percentiles as (
    select is_total, key, min(bucket) filter (where rank >= ceil(total * 0.5)) as p50,
      min(bucket) filter (where rank >= ceil(total * 0.95)) as p95, min(bucket) filter (where rank >= ceil(total * 0.99)) as p99
    from ranked group by is_total, key
  )
  select c.is_total = 1, nullif(c.key, ''), coalesce(c.requests, 0), coalesce(c.errors, 0), coalesce(c.limited, 0),
    coalesce(c.charged_credits, 0), bucket_ms(p.p50), bucket_ms(p.p95), bucket_ms(p.p99)
  from counted c left join percentiles p on p.is_total = c.is_total and (c.is_total = 1 or p.key = c.key)
$$;
