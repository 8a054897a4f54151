-- Ticks: the times and events at which a trigger starts runs, and which of them it starts.

-- Stores ticks that are due, and the time of the one after them. With `p_missed`, one row represents all missed ticks.
-- Returns false if another worker has done so, or if the schedule has changed.
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
    -- The delay depends only on the trigger and the tick, so every worker computes the same one.
    tick + make_interval(secs => case when jitter = 0 then 0
      else abs(hashtextextended(p_trigger::text || extract(epoch from tick), 0) % (jitter * 1000)) / 1000.0 end)
  from unnest(p_ticks) tick on conflict do nothing;
  return true;
end $$;

-- Stores ticks for starts by hand, or for past times. Times that already have a tick or a run are left out; returns the
-- others.
drop function if exists ask_ticks(uuid, uuid, text, timestamptz[]);
create or replace function request_ticks(p_account uuid, p_trigger uuid, p_kind text, p_ticks timestamptz[])
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

-- Returns the tick that a trigger starts now under its overlap policy; no row if there is none. `cancels` are the runs to
-- be cancelled before it starts.
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
  if t.paused_reason = 'no_credits' or t.schedule is null then
    update trigger_ticks k set state = 'missed', try_at = null
    where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting' and k.kind in ('schedule', 'event')
      and k.at < trigger_clock() - make_interval(secs => t.catch_up_seconds);
  end if;
  if live and t.overlap <> 'allow' then cancels := hold_ticks(t); end if;
  select * into tick from trigger_ticks k
  where k.account_id = p_account and k.trigger_id = p_trigger and k.state = 'waiting' and k.try_at <= trigger_clock()
    and (k.kind not in ('schedule', 'event') or coalesce(t.paused_reason, 'no_credits') = 'no_credits')
  order by k.try_at, k.at limit 1;
  if not found and cancels is null then return; end if;
  at := tick.at;
  kind := tick.kind;
  return next;
end $$;

-- Holds or skips due ticks while a run of their trigger is live. Ticks of past times wait until it has ended. Of scheduled
-- ticks and events only one may wait, by the overlap policy: the oldest with `queue_one`, the newest with
-- `cancel_previous`. Returns the runs to be cancelled for it.
create or replace function hold_ticks(t triggers) returns uuid[] language plpgsql as $$
declare
  kept timestamptz;
begin
  update trigger_ticks k set try_at = null
  where k.account_id = t.account_id and k.trigger_id = t.id and k.state = 'waiting' and k.kind = 'backfill' and k.try_at <= trigger_clock();
  select case t.overlap when 'queue_one' then min(k.at) when 'cancel_previous' then max(k.at) end into kept from trigger_ticks k
  where k.account_id = t.account_id and k.trigger_id = t.id and k.state = 'waiting' and k.kind in ('schedule', 'event')
    and (k.try_at is null or k.try_at <= trigger_clock());
  update trigger_ticks k set try_at = null
  where k.account_id = t.account_id and k.trigger_id = t.id and k.at = kept and k.state = 'waiting';
  update trigger_ticks k set state = 'skipped', try_at = null,
    error = jsonb_build_object('code', 'overlap', 'message', 'A run of the trigger had not ended.')
  where k.account_id = t.account_id and k.trigger_id = t.id and k.state = 'waiting' and k.kind in ('schedule', 'event')
    and (k.try_at is null or k.try_at <= trigger_clock()) and k.at is distinct from kept;
  if kept is null or t.overlap <> 'cancel_previous' then return null; end if;
  return (select array_agg(r.id) from runs r where r.account_id = t.account_id and r.trigger_id = t.id and r.finished_at is null);
end $$;

-- Marks a tick as started by the run that this transaction creates. Returns false if it was started before, or if the
-- worker has lost the trigger.
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

-- Postpones a tick whose start was refused temporarily; a scheduled tick or event that is too late by now is missed.
-- Returns whether it still waits; null if the worker has lost the trigger.
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
    state = case when k.kind in ('schedule', 'event') and k.at < trigger_clock() - make_interval(secs => t.catch_up_seconds) then 'missed' else 'waiting' end,
    try_at = trigger_clock() + make_interval(secs => p_seconds)
  where k.account_id = p_account and k.trigger_id = p_trigger and k.at = p_at and k.state = 'waiting'
  returning k.state = 'waiting' into waits;
  return waits;
end $$;

-- Marks a tick as refused permanently. Returns the number of consecutive failures; null if the worker has lost the trigger.
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
