-- Events that accounts send, and the steps that wait for them. The order of locks is: the event's name, the run, the
-- trigger.

create or replace function event_lock(p_space uuid, p_name text) returns bigint language sql immutable as $$
  select hashtextextended('event ' || p_space || ' ' || p_name, 0)
$$;

-- Returns the value of a number, or of a string that is a decimal without leading zeros; null for anything else. So
-- are longer strings: a numeric has at most 16,383 digits after its point.
create or replace function decimal_in(p_value jsonb) returns numeric language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(p_value) = 'number' then p_value::numeric
    when jsonb_typeof(p_value) = 'string' and length(p_value #>> '{}') <= 10000
      and p_value #>> '{}' ~ '^-?(0|[1-9][0-9]*)(\.[0-9]+)?$' then (p_value #>> '{}')::numeric
  end
$$;

-- Returns -1, 0 or 1 if a value is less than, equal to or greater than the one that a condition wants; null if they can't be
-- compared. A decimal is compared with decimals only.
create or replace function compare_values(p_one jsonb, p_other jsonb) returns int language sql immutable parallel safe as $$
  select case
    when decimal_in(p_other) is not null then sign(decimal_in(p_one) - decimal_in(p_other))::int
    when jsonb_typeof(p_one) = 'string' and jsonb_typeof(p_other) = 'string' then case
      when (p_one #>> '{}') collate "C" < (p_other #>> '{}') collate "C" then -1
      when (p_one #>> '{}') collate "C" > (p_other #>> '{}') collate "C" then 1
      else 0 end
  end
$$;

create or replace function same_value(p_one jsonb, p_other jsonb) returns boolean language sql immutable parallel safe as $$
  select p_one = p_other or coalesce(decimal_in(p_one) = decimal_in(p_other), false)
$$;

-- Returns whether an event meets a condition, as `compileFilter` would have it; a missing field, or null, meets the condition
-- that it does not exist.
create or replace function condition_holds(p_event jsonb, p_condition jsonb) returns boolean language plpgsql immutable parallel safe as $$
declare
  found_value jsonb := p_event #> string_to_array(p_condition ->> 'path', '.');
  wanted jsonb := p_condition -> 'value';
begin
  if p_condition ->> 'op' = 'exists' then return coalesce(found_value <> 'null', false) = (wanted is distinct from 'false'); end if;
  if found_value is null then return false; end if;
  return coalesce(case p_condition ->> 'op'
    when 'eq' then same_value(found_value, wanted)
    when 'ne' then not same_value(found_value, wanted)
    when 'in' then exists (
      select from jsonb_array_elements(case jsonb_typeof(wanted) when 'array' then wanted else '[]' end) one
      where same_value(found_value, one))
    when 'gt' then compare_values(found_value, wanted) > 0
    when 'gte' then compare_values(found_value, wanted) >= 0
    when 'lt' then compare_values(found_value, wanted) < 0
    when 'lte' then compare_values(found_value, wanted) <= 0
    when 'prefix' then jsonb_typeof(found_value) = 'string' and starts_with(found_value #>> '{}', wanted #>> '{}')
  end, false);
end $$;

-- Returns whether an event meets all conditions.
create or replace function event_fits(p_event jsonb, p_conditions jsonb) returns boolean language sql immutable parallel safe as $$
  select not exists (
    select from jsonb_array_elements(coalesce(p_conditions, '[]')) condition where not condition_holds(p_event, condition))
$$;

-- Stores an event, resumes the runs that wait for it (in each the step that has waited longest), and has triggers start
-- runs. Conditions are evaluated on `p_event`; `p_run` is the run that sends the event. A reference that was used within a
-- day returns the result of that event. `used` are the bytes that the account's events keep, if there is no room for it.
drop function if exists send_event(uuid, uuid, uuid, uuid, uuid, text, text, text, bytea, text, jsonb, uuid);
create or replace function send_event(
  p_account uuid, p_id uuid, p_project uuid, p_end_user uuid, p_space uuid, p_name text, p_key text, p_reference text,
  p_data bytea, p_tier text, p_event jsonb, p_run uuid, p_budget bigint
) returns table (event_id uuid, resumed int, started int, repeated boolean, used bigint) language plpgsql as $$
declare
  waiting uuid;
  wait event_waits;
  went_on int := 0;
  begun int;
begin
  -- Senders share the lock; a step that begins to wait for this name takes it exclusively.
  perform pg_advisory_xact_lock_shared(event_lock(p_space, p_name));
  if p_reference is not null then
    update sent_events e set reference = null
    where e.account_id = p_account and e.space = p_space and e.reference = p_reference and e.sent_at <= clock_timestamp() - interval '1 day';
  end if;
  insert into sent_events (account_id, id, project_id, end_user_id, space, name, key, reference, data, privacy_tier, sent_at)
  values (p_account, p_id, p_project, p_end_user, p_space, p_name, p_key, p_reference, p_data, p_tier, clock_timestamp())
  on conflict (account_id, space, reference) where reference is not null do nothing;
  if not found then
    return query select e.id, e.resumed, e.started, true, null::bigint from sent_events e
    where e.account_id = p_account and e.space = p_space and e.reference = p_reference;
    return;
  end if;
  for waiting in
    select distinct w.run_id from event_waits w
    where w.account_id = p_account and w.space = p_space and w.name = p_name and w.event_id is null and not w.of_platform
      and (w.key is null or w.key = p_key) and w.until > clock_timestamp() and event_fits(p_event, w.conditions)
    order by 1
  loop
    perform from runs r where r.account_id = p_account and r.id = waiting and r.finished_at is null and r.status <> 'cancelling'
    for no key update;
    continue when not found;
    -- Checked again under the run's lock, since another event may have resumed the step.
    select w.* into wait from event_waits w
    where w.account_id = p_account and w.run_id = waiting and w.space = p_space and w.name = p_name and w.event_id is null and not w.of_platform
      and (w.key is null or w.key = p_key) and w.until > clock_timestamp() and event_fits(p_event, w.conditions)
    order by w.at, w.step, w.nth limit 1;
    continue when not found;
    perform answer_wait(wait, p_id);
    perform wake_run(p_account, waiting);
    went_on := went_on + 1;
  end loop;
  begun := add_event_ticks(p_account, p_space, p_name, p_id, p_event, p_run);
  update sent_events e set resumed = went_on, started = begun
  where e.account_id = p_account and e.id = p_id and (went_on > 0 or begun > 0);
  used := event_bytes(p_data, null);
  return query select p_id, went_on, begun, false, take_bytes(p_account, 'events', used, used, p_budget);
end $$;

-- Stores the event in the wait that it ends, and deletes the step's other waits.
create or replace function answer_wait(p_wait event_waits, p_event uuid) returns void language sql as $$
  delete from event_waits w
  where w.account_id = p_wait.account_id and w.run_id = p_wait.run_id and w.step = p_wait.step and w.nth <> p_wait.nth;
  update event_waits w set event_id = p_event
  where w.account_id = p_wait.account_id and w.run_id = p_wait.run_id and w.step = p_wait.step and w.nth = p_wait.nth
$$;

-- Begins a step that waits for the first of several events, as open_step does. Every sender of one of these names has
-- either committed its event before, or sees the wait. Returns the run's status; null if the worker has lost the run.
create or replace function await_events(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text, p_space uuid, p_awaited jsonb, p_lookback float8,
  p_until timestamptz, p_data jsonb
) returns text language plpgsql as $$
declare
  name_lock bigint;
  seen text;
begin
  for name_lock in
    select distinct event_lock(p_space, a ->> 'name') from jsonb_array_elements(p_awaited) a order by 1
  loop
    perform pg_advisory_xact_lock(name_lock);
  end loop;
  seen := open_step(p_account, p_run, p_worker, p_fence, p_step, 'waiting', null, p_until, p_data, null);
  if seen is distinct from 'running' then return seen; end if;
  insert into event_waits (account_id, run_id, step, nth, space, name, key, conditions, of_platform, since, at, until)
  select p_account, p_run, p_step, a.nth, p_space, a.awaited ->> 'name', a.awaited ->> 'key', a.awaited -> 'where',
    coalesce((a.awaited ->> 'ofPlatform')::boolean, false),
    coalesce(clock_timestamp() - make_interval(secs => p_lookback), greatest(q.at, r.starts_at)), clock_timestamp(), p_until
  from runs r join run_timeline q on q.account_id = r.account_id and q.run_id = r.id and q.seq = 1,
    jsonb_array_elements(p_awaited) with ordinality a(awaited, nth)
  where r.account_id = p_account and r.id = p_run;
  return seen;
end $$;

-- Returns the events that were sent before a step began to wait and that its waits accept, oldest first, after a given one.
create or replace function past_events(
  p_account uuid, p_run uuid, p_step text, p_after_at timestamptz, p_after uuid, p_limit int
) returns table (id uuid, name text, key text, data bytea, privacy_tier text, sent_at timestamptz, nth int, conditions jsonb)
language sql stable as $$
  select e.id, e.name, e.key, e.data, e.privacy_tier, e.sent_at, w.nth, w.conditions
  from event_waits w
  join sent_events e on e.account_id = w.account_id and e.space = w.space and e.name = w.name
    and (w.key is null or w.key = e.key) and e.sent_at >= w.since
  where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.event_id is null and not w.of_platform
    and (p_after is null or (e.sent_at, e.id) > (p_after_at, p_after))
    and not exists (select from event_waits t where t.account_id = p_account and t.run_id = p_run and t.event_id = e.id)
  order by e.sent_at, e.id, w.nth limit p_limit
$$;

-- Ends a step's wait with an event that was sent before. Returns false if another event has ended it, or if another step of
-- the run has received this event.
create or replace function take_past_event(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text, p_nth int, p_event uuid
) returns boolean language plpgsql as $$
declare
  wait event_waits;
begin
  perform from runs r where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence for no key update;
  if not found then return false; end if;
  select w.* into wait from event_waits w
  where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.nth = p_nth and w.event_id is null;
  if not found or exists (select from event_waits t where t.account_id = p_account and t.run_id = p_run and t.event_id = p_event)
  then return false; end if;
  perform answer_wait(wait, p_event);
  return true;
end $$;

-- Ends a step's wait at its timeout. Returns false if an event has ended it, or if the worker has lost the run.
create or replace function end_wait(p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text)
returns boolean language plpgsql as $$
begin
  perform from runs r where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence for no key update;
  if not found or exists (select from event_waits w
    where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.event_id is not null) then return false; end if;
  delete from event_waits w where w.account_id = p_account and w.run_id = p_run and w.step = p_step;
  return true;
end $$;

-- Returns whether the key or member that created a run or trigger may read a platform event now, within its project and end
-- user.
create or replace function initiator_reads(p_type text, p_id uuid, p_project uuid, p_end_user uuid, e outbox)
returns boolean language sql stable as $$
  select (e.account_wide or p_project is null or p_project is not distinct from e.project_id)
    and (e.account_wide or p_end_user is null or p_end_user is not distinct from e.end_user_id)
    and coalesce(case p_type
      when 'key' then key_reads(e.account_id, p_id, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id)
      else (select role_has(m.role, e.scope) from members m where m.account_id = e.account_id and m.id = p_id) end, false)
$$;

-- Returns the form of a platform event on which conditions are evaluated.
create or replace function platform_event(e outbox) returns jsonb language sql immutable as $$
  select jsonb_build_object('name', e.type, 'data', body_of(e.payload) -> 'data')
$$;

-- Stores a platform event that a run has received, like an event that an account has sent.
create or replace function keep_event(e outbox) returns void language sql as $$
  insert into sent_events (account_id, id, project_id, end_user_id, space, name, data, privacy_tier, sent_at)
  values (e.account_id, e.id, e.project_id, e.end_user_id, '00000000-0000-0000-0000-000000000000', e.type,
    convert_to((e.payload::json -> 'data')::text, 'UTF8'), 'standard', uuid_extract_timestamp(e.id))
  on conflict do nothing
$$;

-- Resumes the runs that wait for platform events, when these are fanned out. Returns the number of resumed runs.
create or replace function resume_by_events(p_events outbox[]) returns int language plpgsql as $$
declare
  found_wait record;
  run runs;
  wait event_waits;
  went_on int := 0;
begin
  for found_wait in
    select w.account_id, w.run_id, e.n
    from unnest(p_events) with ordinality e(account_id, id, type, scope, service_id, key_id, account_wide, project_id, end_user_id, payload, depth, n)
    join event_waits w on w.account_id = e.account_id and w.name = e.type and w.event_id is null and w.of_platform
    group by 1, 2, 3 order by 1, 2, 3
  loop
    select r.* into run from runs r
    where r.account_id = found_wait.account_id and r.id = found_wait.run_id and r.finished_at is null and r.status <> 'cancelling'
    for no key update;
    continue when not found or not initiator_reads(run.caller_type, run.caller_id, run.project_id, run.end_user_id, p_events[found_wait.n]);
    select w.* into wait from event_waits w
    where w.account_id = run.account_id and w.run_id = run.id and w.name = (p_events[found_wait.n]).type and w.event_id is null
      and w.of_platform and w.until > clock_timestamp() and event_fits(platform_event(p_events[found_wait.n]), w.conditions)
      and not exists (select from event_waits t
        where t.account_id = run.account_id and t.run_id = run.id and t.event_id = (p_events[found_wait.n]).id)
    order by w.at, w.step, w.nth limit 1;
    continue when not found;
    perform keep_event(p_events[found_wait.n]);
    perform answer_wait(wait, (p_events[found_wait.n]).id);
    perform wake_run(run.account_id, run.id);
    went_on := went_on + 1;
  end loop;
  return went_on;
end $$;

-- Ends a step's wait with the oldest accepted platform event from before it began to wait, in the outbox or fanned out.
-- Returns false if there is none, or if the worker has lost the run.
create or replace function take_past_platform_event(p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text)
returns boolean language plpgsql as $$
declare
  run runs;
  event outbox;
  wait event_waits;
begin
  select r.* into run from runs r
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence for no key update;
  if not found or exists (select from event_waits w
    where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.event_id is not null) then return false; end if;
  for event in
    select e.* from (
      select o.* from outbox o where o.account_id = p_account
      union all
      select h.account_id, h.id, h.type, h.scope, h.service_id, h.key_id, h.account_wide, h.project_id, h.end_user_id, h.payload, 0
      from webhook_events h where h.account_id = p_account) e
    where e.type in (select w.name from event_waits w
        where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.of_platform)
      and e.id >= (select uuid_floor(min(w.since)) from event_waits w
        where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.of_platform)
    order by e.id
  loop
    select w.* into wait from event_waits w
    where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.of_platform and w.name = event.type
      and event_fits(platform_event(event), w.conditions)
      and not exists (select from event_waits t where t.account_id = p_account and t.run_id = p_run and t.event_id = event.id)
    order by w.nth limit 1;
    continue when not found or not initiator_reads(run.caller_type, run.caller_id, run.project_id, run.end_user_id, event);
    perform keep_event(event);
    perform answer_wait(wait, event.id);
    return true;
  end loop;
  return false;
end $$;
