-- Delayed runs that are due: which are started next, and which wait because the same start was refused.

-- Returns delayed runs that are due: the first of each account, beginning after the account `p_after`, then the second of each,
-- and so on.
create or replace function next_delayed_runs(p_after uuid, p_limit int)
returns table (account_id uuid, id uuid, request_id text, service_id text, operation_id text, caller_id uuid)
  language sql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with due as materialized (
    select d.* from (
      select r.account_id, r.id, row_number() over (partition by r.account_id order by r.delayed_until, r.id) as nth
      from runs r where r.delayed_until <= now() and r.account_id <> all((select frozen_ids())::uuid[])) d
    where d.nth <= p_limit
    order by d.nth, d.account_id <= p_after, d.account_id limit p_limit)
  select d.account_id, d.id, r.request_id, r.service_id, r.operation_id, r.caller_id
  from due d join runs r on r.account_id = d.account_id and r.id = d.id
  order by d.nth, d.account_id <= p_after, d.account_id
$$;

-- Postpones up to a thousand due runs of one operation whose start is refused for the same reason, those of one caller if
-- `p_caller` is not null, and logs the reason once in the timeline of each. A run pauses for an eighth of the time that it has
-- waited, 5 to 30 seconds; with `p_soon` they are due again one after the other within 5 seconds. A run that a later call
-- has put off meanwhile stays due at that call's time.
create or replace function postpone_runs(
  p_account uuid, p_service text, p_operation text, p_caller uuid, p_code text, p_message text, p_soon boolean
) returns void language sql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with due as materialized (
    select r.id, exists (
      select from run_timeline e
      where e.account_id = r.account_id and e.run_id = r.id and e.seq = r.last_seq and e.data ->> 'code' = p_code) as logged
    from runs r
    where r.account_id = p_account and r.service_id = p_service and r.operation_id = p_operation
      and (p_caller is null or r.caller_id = p_caller) and r.delayed_until <= now() and r.finished_at is null
    order by r.delayed_until, r.id limit 1000 for update skip locked),
  postponed as (
    update runs r set
      delayed_until = clock_timestamp() + case when p_soon then (1 + 4 * random()) * interval '1 second'
        else least(greatest((now() - greatest(r.starts_at, r.created_at)) / 8, interval '5 seconds'), interval '30 seconds') end,
      last_seq = r.last_seq + (not d.logged)::int,
      kept_bytes = r.kept_bytes + case when d.logged then 0 else entry_bytes(p_message, jsonb_build_object('code', p_code)) end
    from due d where r.account_id = p_account and r.id = d.id
    returning r.id, r.last_seq, d.logged)
  insert into run_timeline (account_id, run_id, seq, at, type, level, message, data)
  select p_account, p.id, p.last_seq, clock_timestamp(), 'log', 'warn', p_message, jsonb_build_object('code', p_code)
  from postponed p where not p.logged
$$;
