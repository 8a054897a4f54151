-- Usage from `p_from` until before `p_to` (null: without end), exact to the millisecond: whole hours as the sealer counted
-- them, the hours that either end cuts from their events, and the events that wait to be chained. A null project or end
-- user selects all. One snapshot for both queries (the function is stable), so nothing is counted twice or missed.
create or replace function usage_between(
  p_account uuid, p_from timestamptz, p_to timestamptz, p_project uuid, p_end_user uuid
) returns table (
  hour timestamptz, operation text, selector text, actor_type text, actor_id uuid, end_user_id uuid,
  requests bigint, errors bigint, limited bigint, charged_credits bigint, histogram int[]
) language plpgsql stable as $$
#variable_conflict use_column
declare
  first_whole timestamptz := hour_of(p_from + interval '1 hour' - interval '1 millisecond');
  after_whole timestamptz := coalesce(hour_of(p_to), '10000-01-01Z');
begin
  return query
  select u.hour, u.operation, u.selector, u.actor_type, u.actor_id, u.end_user_id,
    u.requests::bigint, u.errors::bigint, u.limited::bigint, u.charged_credits, u.histogram
  from usage_hours u
  where u.account_id = p_account and u.hour >= first_whole and u.hour < after_whole
    and (p_project is null or u.project_id = p_project) and (p_end_user is null or u.end_user_id = p_end_user);

  return query
  select hour_of(e.at), e.operation, e.selector, min(e.actor_type), or_nil(e.actor_id), or_nil(e.end_user_id),
    count(*), count(*) filter (where is_error(e.status)), count(*) filter (where e.status = 429),
    sum(e.charged_credits)::bigint, duration_histogram(e.duration_ms)
  from (
    select p.at, p.operation, p.selector, p.actor_type, p.actor_id, p.project_id, p.end_user_id, p.status,
      p.charged_credits, p.duration_ms
    from audit_pending p
    where p.account_id = p_account and p.at >= p_from and (p_to is null or p.at < p_to)
    union all
    select a.at, a.operation, a.selector, a.actor_type, a.actor_id, a.project_id, a.end_user_id, a.status,
      a.charged_credits, a.duration_ms
    from (values (p_from, least(first_whole, p_to)), (greatest(first_whole, after_whole), p_to)) part(lower, upper)
    join audit_chain a on a.account_id = p_account and a.id >= uuid_floor(part.lower) and a.id < uuid_floor(part.upper)) e
  where is_used(e.operation, e.actor_id, e.charged_credits)
    and (p_project is null or e.project_id = p_project) and (p_end_user is null or e.end_user_id = p_end_user)
  group by 1, 2, 3, 5, 6;
end $$;

-- Usage by group, with the median and the 95th percentile of the durations. `p_services` says of which service an operation
-- is, where its selector (`services.invoke.<serviceId>…`) does not. What members did by the operations of `p_left_out`, an
-- array, is not counted.
drop function if exists usage_by(uuid, timestamptz, timestamptz, uuid, uuid, text, jsonb);
create or replace function usage_by(
  p_account uuid, p_from timestamptz, p_to timestamptz, p_project uuid, p_end_user uuid, p_group text, p_services jsonb,
  p_left_out jsonb
) returns table (
  key text, requests bigint, errors bigint, limited bigint, charged_credits bigint, p50_ms int, p95_ms int
) language sql stable as $$
  with used as materialized (
    select u.requests, u.errors, u.limited, u.charged_credits, u.histogram, coalesce(case p_group
        when 'day' then to_char(u.hour at time zone 'UTC', 'YYYY-MM-DD')
        when 'operation' then u.operation
        when 'service' then case when u.selector = u.operation then coalesce(p_services->>u.operation, 'platform-api')
          else split_part(substring(u.selector from length(u.operation) + 2), '.', 1) end
        when 'key' then u.actor_type || '.' || u.actor_id
        when 'endUser' then (select e.external_id from end_users e where e.account_id = p_account and e.id = u.end_user_id)
      end, '') as key
    from usage_between(p_account, p_from, p_to, p_project, p_end_user) u
    where not (u.actor_type = 'member' and p_left_out ? u.operation)
  ), counted as (
    select key, sum(requests)::bigint as requests, sum(errors)::bigint as errors, sum(limited)::bigint as limited,
      sum(charged_credits)::bigint as charged_credits
    from used group by key
  ), ranked as (
    select key, place::int - 1 as bucket, sum(sum(n)) over (partition by key order by place) as rank,
      sum(sum(n)) over (partition by key) as total
    from used, unnest(histogram) with ordinality h(n, place)
    where n > 0
    group by key, place
  ), percentiles as (
    select key, min(bucket) filter (where rank >= ceil(total * 0.5)) as p50, min(bucket) filter (where rank >= ceil(total * 0.95)) as p95
    from ranked group by key
  )
  select nullif(c.key, ''), c.requests, c.errors, c.limited, c.charged_credits, bucket_ms(p.p50), bucket_ms(p.p95)
  from counted c join percentiles p using (key)
$$;
