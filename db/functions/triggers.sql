-- A trigger is handled by the worker that has claimed it. All times are the database's, never those of a process's clock.
-- The order of locks is: the trigger, then the rows that creating a run locks.

create or replace function trigger_clock() returns timestamptz language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp())
$$;

-- Returns when a worker has to handle a trigger next, for its next tick or a waiting one; null while it is paused because
-- its owner has ended or credits are missing.
create or replace function trigger_due(p_trigger triggers) returns timestamptz language sql stable as $$
  select case when p_trigger.paused_reason in ('owner_ended', 'no_credits') then null else least(
    case when p_trigger.paused_reason is null then p_trigger.next_at end,
    (select min(k.try_at) from trigger_ticks k
      where k.account_id = p_trigger.account_id and k.trigger_id = p_trigger.id and k.state = 'waiting'
        and (k.kind not in ('schedule', 'event') or p_trigger.paused_reason is null)))
  end
$$;

-- Makes a worker handle a trigger that has changed.
create or replace function wake_trigger(p_account uuid, p_trigger uuid) returns void language plpgsql as $$
begin
  -- Two statements, so that the second one sees changes that were committed while the first one waited for the lock.
  perform from triggers t where t.account_id = p_account and t.id = p_trigger for update;
  update triggers t set due_at = trigger_due(t)
  where t.account_id = p_account and t.id = p_trigger and t.claimed_by is null and t.ready_at is null;
end $$;

-- Makes triggers ready that are due, or whose worker has ended or dropped them; workers call it periodically. Returns
-- whether no more triggers are due. A session keeps the plans that it made while the table was small, so they must read
-- the indexes.
drop function if exists tend_triggers(text, uuid[]);
create or replace function maintain_triggers(p_worker text, p_held uuid[]) returns boolean language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved int;
  frozen uuid[] := frozen_ids();
begin
  update triggers t set claimed_by = null, ready_at = trigger_clock()
  where t.claimed_by is not null
    and case when t.claimed_by = p_worker then t.id <> all(p_held) else not process_lives(t.claimed_by) end;
  update triggers t set ready_at = t.due_at, due_at = null
  where (t.account_id, t.id) in (
    select d.account_id, d.id from triggers d where d.due_at <= trigger_clock() and d.account_id <> all(frozen) order by d.due_at limit 1000 for update skip locked);
  get diagnostics moved = row_count;
  return moved < 1000;
end $$;

-- Makes triggers due that are paused for credits, in accounts that can pay for the cheapest of them.
create or replace function wake_unfunded_triggers() returns void language sql as $$
  update triggers t set due_at = trigger_clock()
  from (
    select u.account_id from triggers u where u.paused_reason = 'no_credits' and u.account_id <> all((select frozen_ids())::uuid[]) group by u.account_id
    having ledger_refusal(u.account_id, '{}', '{}', min(u.needed_credits), utc_today()) is null) funded
  where t.account_id = funded.account_id and t.paused_reason = 'no_credits'
    and t.due_at is null and t.ready_at is null and t.claimed_by is null
$$;

-- Claims up to `p_slots` ready triggers for a worker, in turn by account, beginning after the account `p_after`. A plan
-- that a session made while the table was small would read all triggers of the account.
create or replace function claim_triggers(p_worker text, p_slots int, p_after uuid)
returns setof triggers language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  place uuid := p_after;
  next_account uuid;
  found_trigger triggers;
  claimed int := 0;
  from_the_start boolean := false;
  took boolean := false;
  frozen uuid[] := frozen_ids();
begin
  while claimed < p_slots loop
    -- Ordered as the index of ready triggers is, so that no others are read.
    select t.account_id into next_account from triggers t
    where t.ready_at is not null and t.account_id > place and t.account_id <> all(frozen)
    order by t.account_id, t.ready_at limit 1;
    if not found then
      exit when from_the_start and not took;
      place := '00000000-0000-0000-0000-000000000000';
      from_the_start := true;
      took := false;
      continue;
    end if;
    place := next_account;
    select * into found_trigger from triggers t
    where t.account_id = next_account and t.ready_at is not null order by t.ready_at limit 1 for update skip locked;
    continue when not found;
    update triggers t set claimed_by = p_worker, fence = t.fence + 1, ready_at = null
    where t.account_id = found_trigger.account_id and t.id = found_trigger.id returning * into found_trigger;
    return next found_trigger;
    claimed := claimed + 1;
    took := true;
  end loop;
end $$;

-- Releases a trigger until it is due again.
create or replace function release_trigger(p_account uuid, p_trigger uuid, p_fence int) returns void language plpgsql as $$
begin
  perform from triggers t where t.account_id = p_account and t.id = p_trigger for update;
  update triggers t set claimed_by = null, due_at = trigger_due(t)
  where t.account_id = p_account and t.id = p_trigger and t.fence = p_fence and t.claimed_by is not null;
end $$;

-- Stores a tick for each trigger of the event's space that starts a run by it. Returns the number of triggers. `p_run` is
-- the run that caused the event.
drop function if exists add_event_ticks(uuid, uuid, text, uuid, jsonb);
create or replace function add_event_ticks(p_account uuid, p_space uuid, p_name text, p_event_id uuid, p_event jsonb, p_run uuid)
returns int language plpgsql as $$
declare
  found_trigger uuid;
  run_depth int := run_depth_after(p_account, p_run);
  added int := 0;
begin
  for found_trigger in
    select t.id from triggers t
    where t.account_id = p_account and t.space = p_space and t.event = p_name and event_fits(p_event, t.conditions)
    order by t.id for no key update
  loop
    added := added + add_event_tick(p_account, found_trigger, p_event_id, run_depth)::int;
  end loop;
  return added;
end $$;

-- Returns the depth of runs that start by an event that this run has caused; 0 if no run has.
create or replace function run_depth_after(p_account uuid, p_run uuid) returns int language sql stable as $$
  select coalesce((select r.trigger_depth + 1 from runs r where r.account_id = p_account and r.id = p_run), 0)
$$;

-- Returns whether a locked trigger may let another event wait for its run, and counts the event. The waiting ticks are read
-- only after as many events as there was room for when they were last read: some of these have started their runs since.
create or replace function takes_event(p_account uuid, p_trigger uuid) returns boolean language plpgsql as $$
declare
  waiting int;
begin
  update triggers t set event_room = t.event_room - 1
  where t.account_id = p_account and t.id = p_trigger and t.event_room > 0;
  if found then return true; end if;
  select count(*) into waiting from (
    select from trigger_ticks k
    where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting' limit 10000) w;
  update triggers t set event_room = 9999 - waiting
  where t.account_id = p_account and t.id = p_trigger and waiting < 9999;
  return waiting < 10000;
end $$;

-- Stores a tick for an event of a locked trigger. Returns false if it starts no run, because the chain of runs that caused
-- the event is too long or because too many events wait.
create or replace function add_event_tick(p_account uuid, p_trigger uuid, p_event_id uuid, p_depth int) returns boolean language plpgsql as $$
declare
  loops boolean := p_depth > 8;
  fault jsonb := case
    when loops then jsonb_build_object('code', 'loop_detected',
      'message', 'Eight runs in a row have each started the next by an event. Nothing more is started by this one.')
    when not takes_event(p_account, p_trigger) then jsonb_build_object('code', 'quota_exceeded',
      'message', '10,000 events wait for their runs already, the most that a trigger lets wait. Replay this one later.') end;
begin
  perform insert_event_tick(p_account, p_trigger, p_event_id, p_depth, fault);
  return fault is null;
end $$;

-- Stores a tick for an event that a trigger takes, or refuses with a fault.
create or replace function insert_event_tick(p_account uuid, p_trigger uuid, p_event_id uuid, p_depth int, p_fault jsonb)
returns void language plpgsql as $$
declare
  moment timestamptz := trigger_clock();
begin
  -- The time identifies a tick of a trigger.
  loop
    insert into trigger_ticks (account_id, trigger_id, at, kind, state, try_at, event_id, depth, error)
    values (p_account, p_trigger, moment, 'event', case when p_fault is null then 'waiting' else 'refused' end,
      case when p_fault is null then trigger_clock() end, p_event_id, p_depth, p_fault)
    on conflict (account_id, trigger_id, at) do nothing;
    exit when found;
    moment := moment + interval '1 ms';
  end loop;
  if p_fault is not null then
    update triggers t set last_error = p_fault || jsonb_build_object('at', trigger_clock())
    where t.account_id = p_account and t.id = p_trigger;
  else
    -- An event that waits until the trigger is resumed does not make it due.
    perform wake_trigger(p_account, p_trigger) from triggers t
    where t.account_id = p_account and t.id = p_trigger and t.paused_reason is null;
  end if;
end $$;

-- Stores ticks of the triggers that start runs by platform events, when these are fanned out.
create or replace function start_by_events(p_events outbox[]) returns void language plpgsql as $$
declare
  pair record;
  happened outbox;
begin
  for pair in
    select t.account_id, t.id, e.n
    from unnest(p_events) with ordinality e(account_id, id, type, scope, service_id, key_id, account_wide, project_id, end_user_id, payload, depth, n)
    join triggers t on t.account_id = e.account_id and t.event = e.type and t.of_platform
      and (e.account_wide or t.project_id is null or t.project_id = e.project_id)
      and (e.account_wide or t.end_user_id is null or t.end_user_id = e.end_user_id)
    order by 1, 2, 3
  loop
    happened := p_events[pair.n];
    perform from triggers t
    where t.account_id = pair.account_id and t.id = pair.id and t.of_platform and t.event = happened.type
      and initiator_reads(t.caller_type, t.caller_id, t.project_id, t.end_user_id, happened)
      and event_fits(platform_event(happened), t.conditions)
    for no key update;
    continue when not found;
    perform keep_event(happened);
    perform add_event_tick(pair.account_id, pair.id, happened.id, happened.depth);
  end loop;
end $$;

-- Makes events of a locked trigger that have started no run wait again: one event, or the oldest of all. Returns how many.
create or replace function replay_ticks(p_account uuid, p_trigger uuid, p_event_id uuid, p_limit int) returns int language plpgsql as $$
declare
  tick trigger_ticks;
  moment timestamptz := trigger_clock();
  replayed int := 0;
begin
  for tick in
    select k.* from trigger_ticks k
    where k.account_id = p_account and k.trigger_id = p_trigger and k.state in ('skipped', 'missed', 'refused')
      and k.event_id is not null and (p_event_id is null or k.event_id = p_event_id)
      and exists (select from sent_events e where e.account_id = p_account and e.id = k.event_id)
    order by k.at limit p_limit
  loop
    -- With another time, so that its call is not a repeat of the earlier one.
    while exists (select from trigger_ticks k where k.account_id = p_account and k.trigger_id = p_trigger and k.at = moment) loop
      moment := moment + interval '1 ms';
    end loop;
    update trigger_ticks k set at = moment, state = 'waiting', try_at = trigger_clock(), depth = 0, error = null
    where k.account_id = p_account and k.trigger_id = p_trigger and k.at = tick.at;
    replayed := replayed + 1;
  end loop;
  update triggers t set event_room = 0 where t.account_id = p_account and t.id = p_trigger and replayed > 0;
  perform wake_trigger(p_account, p_trigger);
  return replayed;
end $$;

-- Takes a changed trigger from its worker, and makes a worker handle it anew.
create or replace function reset_trigger(p_account uuid, p_trigger uuid) returns void language plpgsql as $$
begin
  update triggers t set claimed_by = null, ready_at = null where t.account_id = p_account and t.id = p_trigger;
  perform wake_trigger(p_account, p_trigger);
end $$;

-- Pauses a trigger, and returns whether it was not paused before. Waiting scheduled ticks are skipped, unless it is paused
-- for credits: then they wait until it is resumed. Events wait until then in any case. A trigger that was paused otherwise
-- when its owner ended stays so, and has no worker any more.
create or replace function pause_trigger(p_account uuid, p_trigger uuid, p_reason text, p_needed bigint)
returns boolean language plpgsql as $$
declare
  pauses boolean;
begin
  update triggers t set paused_reason = p_reason, needed_credits = p_needed,
    next_at = case when p_reason = 'no_credits' then t.next_at end, updated_at = trigger_clock()
  where t.account_id = p_account and t.id = p_trigger and (t.paused_reason is null or (t.paused_reason = 'no_credits' and p_reason <> 'no_credits'));
  pauses := found;
  if not pauses and p_reason <> 'owner_ended' then return false; end if;
  if p_reason <> 'no_credits' then
    update trigger_ticks k set state = 'skipped', try_at = null,
      error = jsonb_build_object('code', 'paused', 'message', 'The trigger was paused.')
    where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting'
      and (k.kind = 'schedule' or (p_reason = 'owner_ended' and k.kind <> 'event'));
  end if;
  -- Starts by hand go on while it is paused.
  perform reset_trigger(p_account, p_trigger);
  return pauses;
end $$;

-- Handles the end of a trigger's run: counts failures, and makes ticks due that wait for it. Returns whether so many runs
-- have failed consecutively that the trigger has to be paused.
create or replace function end_triggered_run(p_account uuid, p_trigger uuid, p_status text) returns boolean language plpgsql as $$
declare
  t triggers;
begin
  update triggers x set failures = case
    when p_status = 'succeeded' then 0 when p_status in ('failed', 'expired') then x.failures + 1 else x.failures end
  where x.account_id = p_account and x.id = p_trigger returning * into t;
  if not found then return false; end if;
  update trigger_ticks k set try_at = trigger_clock()
  where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting' and k.try_at is null;
  perform wake_trigger(p_account, p_trigger);
  return t.paused_reason is null and t.failures >= t.pause_after_failures;
end $$;
