-- Triggers are carried by the worker that has claimed them. What time it is says the database alone, whatever the clocks of
-- processes say. Locks are taken in one order: the trigger, then what a run is made by.

create or replace function trigger_clock() returns timestamptz language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp())
$$;

-- When a trigger is next to be looked at: for its next tick, or for one that waits. One that may not act waits for its owner
-- or for credits.
create or replace function trigger_due(p_trigger triggers) returns timestamptz language sql stable as $$
  select case when p_trigger.paused_reason in ('owner_ended', 'no_credits') then null else least(
    case when p_trigger.paused_reason is null then p_trigger.next_at end,
    (select min(k.try_at) from trigger_ticks k
      where k.account_id = p_trigger.account_id and k.trigger_id = p_trigger.id and k.state = 'waiting'
        and (k.kind <> 'schedule' or p_trigger.paused_reason is null)))
  end
$$;

-- Has a worker look at a trigger in which something has changed.
create or replace function wake_trigger(p_account uuid, p_trigger uuid) returns void language plpgsql as $$
begin
  -- Two statements: what was changed while this one waited for the lock is seen by the second.
  perform from triggers t where t.account_id = p_account and t.id = p_trigger for update;
  update triggers t set due_at = trigger_due(t)
  where t.account_id = p_account and t.id = p_trigger and t.claimed_by is null and t.ready_at is null;
end $$;

-- What a worker sees to now and then: triggers whose time has come are ready, and so are those that nobody carries any
-- more. Answers whether that were all.
create or replace function tend_triggers(p_worker text, p_held uuid[]) returns boolean language plpgsql as $$
declare
  moved int;
begin
  update triggers t set claimed_by = null, ready_at = trigger_clock()
  where t.claimed_by is not null
    and case when t.claimed_by = p_worker then t.id <> all(p_held) else not process_lives(t.claimed_by) end;
  update triggers t set ready_at = t.due_at, due_at = null
  where (t.account_id, t.id) in (
    select d.account_id, d.id from triggers d where d.due_at <= trigger_clock() order by d.due_at limit 1000 for update skip locked);
  get diagnostics moved = row_count;
  return moved < 1000;
end $$;

-- Looks again at the triggers that wait for credits, of accounts that have what the least of them needs.
create or replace function wake_unfunded_triggers() returns void language sql as $$
  update triggers t set due_at = trigger_clock()
  from (
    select u.account_id from triggers u where u.paused_reason = 'no_credits' group by u.account_id
    having ledger_refusal(u.account_id, '{}', '{}', min(u.needed_credits), utc_today()) is null) funded
  where t.account_id = funded.account_id and t.paused_reason = 'no_credits'
    and t.due_at is null and t.ready_at is null and t.claimed_by is null
$$;

-- Gives a worker up to `p_slots` triggers that are ready: one account's after the other's, from `p_after` on.
create or replace function claim_triggers(p_worker text, p_slots int, p_after uuid)
returns setof triggers language plpgsql as $$
declare
  place uuid := p_after;
  next_account uuid;
  found_trigger triggers;
  claimed int := 0;
  from_the_start boolean := false;
  took boolean := false;
begin
  while claimed < p_slots loop
    select t.account_id into next_account from triggers t
    where t.ready_at is not null and t.account_id > place order by t.account_id limit 1;
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

-- Gives a trigger back, to be looked at when something is next due.
create or replace function release_trigger(p_account uuid, p_trigger uuid, p_fence int) returns void language plpgsql as $$
begin
  perform from triggers t where t.account_id = p_account and t.id = p_trigger for update;
  update triggers t set claimed_by = null, due_at = trigger_due(t)
  where t.account_id = p_account and t.id = p_trigger and t.fence = p_fence and t.claimed_by is not null;
end $$;

-- Writes down the ticks whose time has come, and the one after them. Those before `p_missed_until` were missed: the first
-- of them stands for all. Nothing where another worker did it, or the schedule has changed.
create or replace function add_ticks(
  p_account uuid, p_trigger uuid, p_fence int, p_from timestamptz, p_next timestamptz, p_ticks timestamptz[], p_missed jsonb
) returns boolean language plpgsql as $$
declare
  jitter int;
begin
  update triggers t set next_at = p_next
  where t.account_id = p_account and t.id = p_trigger and t.fence = p_fence and t.claimed_by is not null and t.next_at = p_from
  returning t.jitter_seconds into jitter;
  if not found then return false; end if;
  if p_missed is not null then
    insert into trigger_ticks (account_id, trigger_id, at, kind, state, error)
    values (p_account, p_trigger, p_from, 'schedule', 'missed', p_missed) on conflict do nothing;
  end if;
  insert into trigger_ticks (account_id, trigger_id, at, kind, state, try_at)
  select p_account, p_trigger, tick, 'schedule', 'waiting',
    -- The same for every worker, and another for each tick.
    tick + make_interval(secs => case when jitter = 0 then 0
      else abs(hashtextextended(p_trigger::text || extract(epoch from tick), 0) % (jitter * 1000)) / 1000.0 end)
  from unnest(p_ticks) tick on conflict do nothing;
  return true;
end $$;

-- Asks for starts by hand at these times, or for those of times past; a time that has a tick or a run already is left out.
create or replace function ask_ticks(p_account uuid, p_trigger uuid, p_kind text, p_ticks timestamptz[])
returns setof timestamptz language plpgsql as $$
begin
  return query
  insert into trigger_ticks (account_id, trigger_id, at, kind, state, try_at)
  select p_account, p_trigger, tick, p_kind, 'waiting', trigger_clock() from unnest(p_ticks) tick
  where not exists (select from runs r where r.account_id = p_account and r.trigger_id = p_trigger and r.scheduled_at = tick)
  on conflict (account_id, trigger_id, at) do update set kind = excluded.kind, state = 'waiting', try_at = excluded.try_at, error = null
    where trigger_ticks.state in ('skipped', 'missed', 'refused')
  returning trigger_ticks.at::timestamptz;
  perform wake_trigger(p_account, p_trigger);
end $$;

-- The tick that a trigger is to start now, by its policy on what still runs; null where none is. `cancels` are the runs that
-- are to end before it starts.
create or replace function next_tick(p_account uuid, p_trigger uuid, p_fence int)
returns table (at timestamptz, kind text, cancels uuid[]) language plpgsql as $$
declare
  t triggers;
  live boolean;
  tick trigger_ticks;
begin
  select * into t from triggers x where x.account_id = p_account and x.id = p_trigger and x.fence = p_fence and x.claimed_by is not null for update;
  if not found or t.paused_reason = 'owner_ended' then return; end if;
  live := exists (select from runs r where r.account_id = p_account and r.trigger_id = p_trigger and r.finished_at is null);
  if t.paused_reason = 'no_credits' then
    update trigger_ticks k set state = 'missed', try_at = null
    where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting' and k.kind = 'schedule'
      and k.at < trigger_clock() - make_interval(secs => t.catch_up_seconds);
  end if;
  if live and t.overlap <> 'allow' then cancels := hold_ticks(t); end if;
  select * into tick from trigger_ticks k
  where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting' and k.try_at <= trigger_clock()
    and (k.kind <> 'schedule' or coalesce(t.paused_reason, 'no_credits') = 'no_credits')
  order by k.try_at, k.at limit 1;
  if not found and cancels is null then return; end if;
  at := tick.at;
  kind := tick.kind;
  return next;
end $$;

-- What becomes of due ticks while a run of their trigger lives. Those of times past wait for its end, one after the other; of
-- the schedule's all are skipped but the one that may wait: the oldest, or the newest where it ends what runs. Answers the
-- runs that are to be cancelled for it.
create or replace function hold_ticks(t triggers) returns uuid[] language plpgsql as $$
declare
  kept timestamptz;
begin
  update trigger_ticks k set try_at = null
  where k.account_id = t.account_id and k.trigger_id = t.id and k.state = 'waiting' and k.kind = 'backfill' and k.try_at <= trigger_clock();
  select case t.overlap when 'queue_one' then min(k.at) when 'cancel_previous' then max(k.at) end into kept from trigger_ticks k
  where k.account_id = t.account_id and k.trigger_id = t.id and k.state = 'waiting' and k.kind = 'schedule'
    and (k.try_at is null or k.try_at <= trigger_clock());
  update trigger_ticks k set try_at = null
  where k.account_id = t.account_id and k.trigger_id = t.id and k.at = kept and k.state = 'waiting';
  update trigger_ticks k set state = 'skipped', try_at = null,
    error = jsonb_build_object('code', 'overlap', 'message', 'A run of the trigger had not ended.')
  where k.account_id = t.account_id and k.trigger_id = t.id and k.state = 'waiting' and k.kind = 'schedule'
    and (k.try_at is null or k.try_at <= trigger_clock()) and k.at is distinct from kept;
  if kept is null or t.overlap <> 'cancel_previous' then return null; end if;
  return (select array_agg(r.id) from runs r where r.account_id = t.account_id and r.trigger_id = t.id and r.finished_at is null);
end $$;

-- Takes a tick for the run that is made in this transaction. False: it was started before, or is not this worker's to start.
create or replace function start_tick(p_account uuid, p_trigger uuid, p_fence int, p_at timestamptz, p_run uuid)
returns boolean language plpgsql as $$
begin
  update triggers t set last_run_id = p_run, last_error = null, needed_credits = null,
    paused_reason = nullif(t.paused_reason, 'no_credits')
  where t.account_id = p_account and t.id = p_trigger and t.fence = p_fence and t.claimed_by is not null;
  if not found then return false; end if;
  update trigger_ticks k set state = 'started', run_id = p_run, try_at = null, error = null
  where k.account_id = p_account and k.trigger_id = p_trigger and k.at = p_at and k.state = 'waiting';
  return found;
end $$;

-- Postpones a tick that was refused for now. One of the schedule that has come too late by then is missed: answers whether
-- it still waits; null: it is not this worker's any more.
create or replace function postpone_tick(
  p_account uuid, p_trigger uuid, p_fence int, p_at timestamptz, p_error jsonb, p_seconds int
) returns boolean language plpgsql as $$
declare
  t triggers;
  waits boolean;
begin
  update triggers x set last_error = p_error || jsonb_build_object('at', trigger_clock())
  where x.account_id = p_account and x.id = p_trigger and x.fence = p_fence and x.claimed_by is not null returning * into t;
  if not found then return null; end if;
  update trigger_ticks k set error = p_error,
    state = case when k.kind = 'schedule' and k.at < trigger_clock() - make_interval(secs => t.catch_up_seconds) then 'missed' else 'waiting' end,
    try_at = trigger_clock() + make_interval(secs => p_seconds)
  where k.account_id = p_account and k.trigger_id = p_trigger and k.at = p_at and k.state = 'waiting'
  returning k.state = 'waiting' into waits;
  return waits;
end $$;

-- Writes down that a tick was refused for good. Answers how many have failed in a row; null: it is not this worker's to say.
create or replace function refuse_tick(p_account uuid, p_trigger uuid, p_fence int, p_at timestamptz, p_error jsonb)
returns int language plpgsql as $$
declare
  failed int;
begin
  perform from triggers t where t.account_id = p_account and t.id = p_trigger and t.fence = p_fence and t.claimed_by is not null for update;
  if not found then return null; end if;
  update trigger_ticks k set state = 'refused', error = p_error, try_at = null
  where k.account_id = p_account and k.trigger_id = p_trigger and k.at = p_at and k.state = 'waiting';
  if not found then return null; end if;
  update triggers t set failures = t.failures + 1, last_error = p_error || jsonb_build_object('at', trigger_clock())
  where t.account_id = p_account and t.id = p_trigger returning t.failures into failed;
  return failed;
end $$;

-- Takes a trigger from the worker that has it, as what it is has changed, and has it looked at anew.
create or replace function reset_trigger(p_account uuid, p_trigger uuid) returns void language plpgsql as $$
begin
  update triggers t set claimed_by = null, ready_at = null where t.account_id = p_account and t.id = p_trigger;
  perform wake_trigger(p_account, p_trigger);
end $$;

-- Pauses a trigger that is not. What waits of its schedule ends, but for want of credits: then it goes on where it was.
create or replace function pause_trigger(p_account uuid, p_trigger uuid, p_reason text, p_needed bigint)
returns boolean language plpgsql as $$
begin
  update triggers t set paused_reason = p_reason, needed_credits = p_needed,
    next_at = case when p_reason = 'no_credits' then t.next_at end, updated_at = trigger_clock()
  where t.account_id = p_account and t.id = p_trigger and (t.paused_reason is null or (t.paused_reason = 'no_credits' and p_reason <> 'no_credits'));
  if not found then return false; end if;
  if p_reason <> 'no_credits' then
    update trigger_ticks k set state = 'skipped', try_at = null,
      error = jsonb_build_object('code', 'paused', 'message', 'The trigger was paused.')
    where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting'
      and (k.kind = 'schedule' or p_reason = 'owner_ended');
  end if;
  -- What was asked for by hand is started all the same.
  perform reset_trigger(p_account, p_trigger);
  return true;
end $$;

-- Follows the end of a run: counts failures, and lets the tick go on that waits for it. Answers whether there have been as
-- many failures in a row as pause the trigger.
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
