-- Which runs may start, and which worker executes them.

-- Returns how many live runs a key and its descendants have under a selector, counting up to `p_most`.
create or replace function live_runs(p_account uuid, p_key uuid, p_selector text, p_most int) returns int language sql stable as $$
  select count(*)::int from (
    select from runs r where r.account_id = p_account and r.finished_at is null and r.delayed_until is null and p_key = any(r.key_ids)
      and p_selector in ('runs.create', 'runs.create.' || r.service_id, 'runs.create.' || r.service_id || '.' || r.operation_id)
    limit p_most) live
$$;

-- Returns the `maxConcurrent` of a key's chain that refuses another run, or null. The rows of the limits stay locked until
-- the run is committed, so that two calls can't both take the last place.
create or replace function live_runs_refusal(p_account uuid, p_keys uuid[], p_selectors text[]) returns jsonb language plpgsql as $$
begin
  perform from key_limits l
  where l.account_id = p_account and l.key_id = any(p_keys) and l.selector = any(p_selectors) and l.max_concurrent is not null
  order by l.key_id, l.selector for update;
  return (
    select jsonb_build_object('keyId', l.key_id, 'selector', l.selector, 'limit', l.max_concurrent) from key_limits l
    where l.account_id = p_account and l.key_id = any(p_keys) and l.selector = any(p_selectors)
      and live_runs(p_account, l.key_id, l.selector, l.max_concurrent) >= l.max_concurrent
    order by array_position(p_keys, l.key_id) desc, array_position(p_selectors, l.selector) desc limit 1);
end $$;

-- Returns the current state of a run's creator; null if they are gone. `code` says why the run may not go on on their
-- behalf.
create or replace function run_caller(p_run runs) returns jsonb language sql stable as $$
  select initiator(p_run.account_id, p_run.caller_type, p_run.caller_id, p_run.project_id, p_run.end_user_id)
$$;

-- Makes runs ready whose wait is over, and runs that the database assigns to this worker but that it dropped when its
-- connection was lost; workers call it periodically. Returns the runs of the worker, with the status `frozen` if it is to
-- hand a run back because its account is frozen. A session keeps the plans that it made while the table was small, so they
-- must read the indexes.
drop function if exists tend_runs(text, uuid[]);
create or replace function maintain_runs(p_worker text, p_held uuid[])
returns table (id uuid, fence int, status text) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  frozen uuid[] := frozen_ids();
begin
  update runs r set ready_at = r.wake_at, wake_at = null
  where (r.account_id, r.id) in (
    select w.account_id, w.id from runs w where w.wake_at <= now() and w.account_id <> all(frozen) order by w.wake_at limit 1000 for update skip locked);
  update runs r set worker = null, ready_at = clock_timestamp() where r.worker = p_worker and r.id <> all(p_held);
  return query select r.id, r.fence, case when r.account_id = any(frozen) then 'frozen' else r.status end from runs r where r.worker = p_worker;
end $$;

-- Returns which periodic work there is: runs that have expired without a worker, delayed runs that are due, ends of runs that
-- nobody has followed, and events of runs that are due.
create or replace function due_run_work(out expired boolean, out delayed boolean, out ended boolean, out changed boolean)
  language plpgsql stable set enable_seqscan = off as $$
begin
  expired := exists (select from runs where finished_at is null and expires_at <= now() and worker is null);
  delayed := exists (select from runs where delayed_until <= now());
  ended := exists (select from run_ends);
  changed := exists (select from run_announcements);
end $$;

-- Claims up to `p_slots` ready runs for a worker, in turn by account, beginning after the account `p_after`, and at most
-- `p_cap` runs of one account at the same time. `p_accounts` are the accounts of the runs that it has already. Within an
-- account the run that has waited longest comes first; each point of priority counts as a minute. A run whose concurrency
-- key has no free slot is queued for that key, and later claims don't read it. A row of nulls says that more runs are
-- ready.
create or replace function claim_runs(p_worker text, p_accounts uuid[], p_slots int, p_cap int, p_after uuid)
returns setof runs language plpgsql as $$
declare
  place uuid := p_after;
  next_account uuid;
  run runs;
  before text;
  claimed int := 0;
  from_the_start boolean := false;
  took boolean := false;
  verdict text;
  passed_by int;
  lined_up int := 0;
  frozen uuid[] := frozen_ids();
begin
  while claimed < p_slots loop
    -- Ordered as the index of ready runs is: by the primary key, a claim would read all runs that have ended.
    next_account := least(
      (select r.account_id from runs r where r.ready_at is not null and r.account_id > place and r.account_id <> all(frozen)
        order by r.account_id, (coalesce(r.queued_at, r.ready_at) - timestamptz '2000-01-01 00:00:00+00') - r.priority * interval '1 minute' limit 1),
      (select s.account_id from slot_signals s where s.account_id > place and s.account_id <> all(frozen) order by s.account_id limit 1));
    if next_account is null then
      exit when from_the_start and not took;
      place := '00000000-0000-0000-0000-000000000000';
      from_the_start := true;
      took := false;
      continue;
    end if;
    place := next_account;
    continue when cardinality(array_positions(p_accounts, next_account)) >= p_cap;
    perform call_runs(next_account);
    passed_by := 0;
    loop
      verdict := null;
      select * into run from runs r
      where r.account_id = next_account and r.ready_at is not null
      order by (coalesce(r.queued_at, r.ready_at) - timestamptz '2000-01-01 00:00:00+00') - r.priority * interval '1 minute'
      offset passed_by limit 1 for update skip locked;
      exit when not found;
      verdict := case when run.concurrency is null or run.status = 'cancelling' then 'taken' else take_slots(run) end;
      exit when verdict = 'taken';
      if verdict = 'waiting' then
        took := true;
        lined_up := lined_up + 1;
        exit when lined_up = 200;
      else
        passed_by := passed_by + 1;
        exit when passed_by = 20;
      end if;
    end loop;
    if lined_up = 200 then
      run := null;
      return next run;
      return;
    end if;
    continue when verdict is distinct from 'taken';
    before := run.status;
    update runs r set worker = p_worker, fence = r.fence + 1, ready_at = null, queued_at = null, woken = false,
      status = case when r.status = 'cancelling' then r.status else 'running' end,
      attempt = greatest(r.attempt, 1), started_at = coalesce(r.started_at, clock_timestamp()),
      last_seq = r.last_seq + case when r.status in ('queued', 'awaiting_approval') then 1 else 0 end
    where r.account_id = run.account_id and r.id = run.id returning * into run;
    if before in ('queued', 'awaiting_approval') then
      perform add_state(run, 'info', 'The run is running.', jsonb_build_object('attempt', run.attempt));
    end if;
    return next run;
    p_accounts := p_accounts || next_account;
    claimed := claimed + 1;
    took := true;
  end loop;
end $$;
