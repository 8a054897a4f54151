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

create or replace function among_values(p_one jsonb, p_others jsonb) returns boolean language sql immutable parallel safe as $$
  select exists (
    select from jsonb_array_elements(case jsonb_typeof(p_others) when 'array' then p_others else '[]' end) other
    where same_value(p_one, other))
$$;

-- Returns whether the value at a condition's path meets it, as `compileFilter` would have it; a missing field, or null, meets
-- the condition that it does not exist. Like those above it is a single expression, which PostgreSQL makes part of the
-- query: a call for each condition takes several times as long.
drop function if exists condition_holds(jsonb, jsonb);
create or replace function condition_holds(p_op text, p_found jsonb, p_wanted jsonb) returns boolean language sql immutable parallel safe as $$
  select coalesce(case p_op
    when 'exists' then coalesce(p_found <> 'null', false) = (p_wanted is distinct from 'false')
    when 'eq' then same_value(p_found, p_wanted)
    when 'ne' then not same_value(p_found, p_wanted)
    when 'in' then among_values(p_found, p_wanted)
    when 'gt' then compare_values(p_found, p_wanted) > 0
    when 'gte' then compare_values(p_found, p_wanted) >= 0
    when 'lt' then compare_values(p_found, p_wanted) < 0
    when 'lte' then compare_values(p_found, p_wanted) <= 0
    when 'prefix' then jsonb_typeof(p_found) = 'string' and starts_with(p_found #>> '{}', p_wanted #>> '{}')
  end, false)
$$;

-- Returns whether an event meets all conditions.
create or replace function event_fits(p_event jsonb, p_conditions jsonb) returns boolean language sql immutable parallel safe as $$
  select not exists (
    select from jsonb_array_elements(coalesce(p_conditions, '[]')) c,
      lateral (select p_event #> string_to_array(c ->> 'path', '.') as found, c -> 'value' as wanted offset 0) v
    where not condition_holds(c ->> 'op', v.found, v.wanted))
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
-- either committed its event before, or sees the wait. `seen` is the run's status; null if the worker has lost the run.
-- `crowded` is the name of a platform event for which the account would have more than `p_most` open waits; then the step
-- does not begin.
drop function if exists await_events(uuid, uuid, text, int, text, uuid, jsonb, float8, timestamptz, jsonb);
create or replace function await_events(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text, p_space uuid, p_awaited jsonb, p_lookback float8,
  p_until timestamptz, p_data jsonb, p_most int, out seen text, out crowded text
) language plpgsql as $$
declare
  name_lock bigint;
begin
  -- Waits for a platform event are counted by account, so its steps begin to wait for the event one after another.
  for name_lock in
    select distinct event_lock(case when (a ->> 'ofPlatform')::boolean then p_account else p_space end, a ->> 'name')
    from jsonb_array_elements(p_awaited) a order by 1
  loop
    perform pg_advisory_xact_lock(name_lock);
  end loop;
  crowded := (
    select named.name from (
      select a ->> 'name' as name, count(*) as times from jsonb_array_elements(p_awaited) a where (a ->> 'ofPlatform')::boolean group by 1) named
    where named.times > p_most - (
      select count(*) from event_waits w
      where w.account_id = p_account and w.name = named.name and w.event_id is null and w.of_platform and w.until > clock_timestamp())
    order by 1 limit 1);
  if crowded is not null then return; end if;
  seen := open_step(p_account, p_run, p_worker, p_fence, p_step, 'waiting', null, p_until, p_data, null);
  if seen is distinct from 'running' then return; end if;
  insert into event_waits (account_id, run_id, step, nth, space, name, key, conditions, of_platform, since, at, until)
  select p_account, p_run, p_step, a.nth, p_space, a.awaited ->> 'name', a.awaited ->> 'key', a.awaited -> 'where',
    coalesce((a.awaited ->> 'ofPlatform')::boolean, false),
    coalesce(clock_timestamp() - make_interval(secs => p_lookback), greatest(q.at, r.starts_at)), clock_timestamp(), p_until
  from runs r join run_timeline q on q.account_id = r.account_id and q.run_id = r.id and q.seq = 1,
    jsonb_array_elements(p_awaited) with ordinality a(awaited, nth)
  where r.account_id = p_account and r.id = p_run;
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
