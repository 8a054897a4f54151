-- A run is written by the worker that holds it, under its fence: `worker` and `fence` as they were when it was claimed.
-- Locks are taken in one order: the run, then what the ledger locks.

-- Adds the entry numbered `last_seq` to a run's timeline; the row is locked, so numbers and times rise together.
create or replace function add_entry(
  p_run runs, p_type text, p_step text, p_level text, p_message text, p_data jsonb
) returns void language sql as $$
  insert into run_timeline (account_id, run_id, seq, at, type, step, level, message, data)
  values (p_run.account_id, p_run.id, p_run.last_seq, clock_timestamp(), p_type, p_step, p_level, p_message, p_data)
$$;

-- Tells of the state that a run has come to: in its timeline, and to webhooks where the account has any.
create or replace function add_state(p_run runs, p_level text, p_message text, p_data jsonb) returns void language plpgsql as $$
begin
  perform add_entry(p_run, 'state', null, p_level, p_message, jsonb_build_object('status', p_run.status) || p_data);
  if wants_events(p_run.account_id) then
    insert into run_announcements (account_id, run_id, seq) values (p_run.account_id, p_run.id, p_run.last_seq);
  end if;
end $$;

-- The first state of a run that was just made; one that is to start later is ready when it comes to that (begin_run).
create or replace function queue_run(p_account uuid, p_run uuid) returns void language plpgsql as $$
declare
  run runs;
begin
  update runs r set ready_at = case when r.delayed_until is null then clock_timestamp() end, last_seq = 1 where r.account_id = p_account and r.id = p_run returning * into run;
  perform add_state(run, 'info', 'The run is queued.', '{}');
end $$;

-- Lets a run that was to start later be taken by a worker, with what is held for it from now on.
create or replace function begin_run(p_account uuid, p_run uuid, p_held bigint) returns void language sql as $$
  update runs r set delayed_until = null, held_credits = p_held, ready_at = clock_timestamp()
  where r.account_id = p_account and r.id = p_run and r.delayed_until is not null
$$;

-- Leaves a run for later that can't start yet, and says why in its timeline, once.
create or replace function postpone_run(p_account uuid, p_run uuid, p_code text, p_message text, p_seconds int)
returns void language plpgsql as $$
declare
  run runs;
begin
  update runs r set delayed_until = clock_timestamp() + make_interval(secs => p_seconds)
  where r.account_id = p_account and r.id = p_run and r.delayed_until is not null and r.finished_at is null returning * into run;
  if not found or exists (select from run_timeline e
    where e.account_id = p_account and e.run_id = p_run and e.seq = run.last_seq and e.data ->> 'code' = p_code) then return; end if;
  update runs r set last_seq = r.last_seq + 1 where r.account_id = p_account and r.id = p_run returning * into run;
  perform add_entry(run, 'log', null, 'warn', p_message, jsonb_build_object('code', p_code));
end $$;

-- How many of a key's runs under a selector live, counted up to `p_most`; those of the keys below it are its own.
create or replace function live_runs(p_account uuid, p_key uuid, p_selector text, p_most int) returns int language sql stable as $$
  select count(*)::int from (
    select from runs r where r.account_id = p_account and r.finished_at is null and r.delayed_until is null and p_key = any(r.key_ids)
      and p_selector in ('runs.create', 'runs.create.' || r.service_id, 'runs.create.' || r.service_id || '.' || r.operation_id)
    limit p_most) live
$$;

-- Which `maxConcurrent` of a key's chain has no room for another run, or null. Its rows stay locked until the run is
-- there, so that two calls can't both take the last place.
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

-- Who created a run, as of now: null where there is nobody any more. `code` says why the run may not go on in their name.
create or replace function run_caller(p_run runs) returns jsonb language sql stable as $$
  select initiator(p_run.account_id, p_run.caller_type, p_run.caller_id, p_run.project_id, p_run.end_user_id)
$$;

-- What each worker sees to now and then: runs whose wait is over are ready, and so is what stands in this worker's name
-- though it holds it no more, because its connection broke. Answers the runs that it does hold.
create or replace function tend_runs(p_worker text, p_held uuid[])
returns table (id uuid, fence int, status text) language plpgsql as $$
begin
  update runs r set ready_at = r.wake_at, wake_at = null
  where (r.account_id, r.id) in (
    select w.account_id, w.id from runs w where w.wake_at <= now() order by w.wake_at limit 1000 for update skip locked);
  update runs r set worker = null, ready_at = clock_timestamp() where r.worker = p_worker and r.id <> all(p_held);
  return query select r.id, r.fence, r.status from runs r where r.worker = p_worker;
end $$;

-- Gives a worker up to `p_slots` runs that are ready: one account after the other from `p_after` on, none beyond
-- `p_cap` runs of which it holds at once. `p_accounts` are those of the runs that it holds.
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
begin
  while claimed < p_slots loop
    select r.account_id into next_account from runs r
    where r.ready_at is not null and r.account_id > place order by r.account_id limit 1;
    if not found then
      exit when from_the_start and not took;
      place := '00000000-0000-0000-0000-000000000000';
      from_the_start := true;
      took := false;
      continue;
    end if;
    place := next_account;
    continue when cardinality(array_positions(p_accounts, next_account)) >= p_cap;
    select * into run from runs r
    where r.account_id = next_account and r.ready_at is not null order by r.ready_at limit 1 for update skip locked;
    continue when not found;
    before := run.status;
    update runs r set worker = p_worker, fence = r.fence + 1, ready_at = null, woken = false,
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

-- A fenced change of a run begins with this: locks the row and takes the next number of its timeline. Null: lost.
create or replace function touch_run(p_account uuid, p_run uuid, p_worker text, p_fence int) returns runs language sql as $$
  update runs r set last_seq = r.last_seq + 1
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence
  returning r
$$;

-- A line that the handler logs, or its progress. Answers the run's status; null: lost.
create or replace function log_run(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_level text, p_message text, p_data jsonb, p_progress float8
) returns text language plpgsql as $$
declare
  run runs := touch_run(p_account, p_run, p_worker, p_fence);
begin
  if run.id is null then return null; end if;
  update runs r set progress = coalesce(p_progress, r.progress), logged = r.logged + case when p_progress is null then 1 else 0 end
  where r.account_id = p_account and r.id = p_run;
  perform add_entry(run, case when p_progress is null then 'log' else 'progress' end, null, p_level, p_message, p_data);
  return run.status;
end $$;

-- Lets a run go that waits; it is ready when the first of its waits is over, or at once where something happened
-- meanwhile. Answers the run; none: lost, or to be cancelled.
create or replace function suspend_run(p_account uuid, p_run uuid, p_worker text, p_fence int, p_approval boolean)
returns setof runs language plpgsql as $$
declare
  run runs;
begin
  update runs r set worker = null, woken = false, status = case when p_approval then 'awaiting_approval' else r.status end,
    last_seq = r.last_seq + case when p_approval then 1 else 0 end,
    ready_at = case when r.woken then clock_timestamp() end,
    wake_at = case when not r.woken then (select min(s.wake_at) from run_steps s
      where s.account_id = p_account and s.run_id = p_run and s.state = 'waiting') end
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence and r.status <> 'cancelling'
  returning * into run;
  if not found then return; end if;
  if p_approval then perform add_state(run, 'info', 'The run waits for an approval.', '{}'); end if;
  return next run;
end $$;

-- Makes a run ready because something that it may wait for has happened.
create or replace function wake_run(p_account uuid, p_run uuid) returns void language sql as $$
  update runs r set woken = r.worker is not null,
    ready_at = case when r.worker is null then coalesce(r.ready_at, clock_timestamp()) end, wake_at = null
  where r.account_id = p_account and r.id = p_run and r.finished_at is null
$$;

-- Queues a run's next attempt. Answers the run; none: lost, or to be cancelled.
create or replace function retry_run(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_error jsonb, p_delay_ms int
) returns setof runs language plpgsql as $$
declare
  run runs;
begin
  update runs r set last_seq = r.last_seq + 1
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence and r.status <> 'cancelling'
  returning * into run;
  if not found then return; end if;
  perform add_entry(run, 'retry', p_error->>'step', 'warn', p_error->>'message',
    jsonb_build_object('code', p_error->>'code', 'attempt', run.attempt, 'nextAttempt', run.attempt + 1, 'delayMs', p_delay_ms));
  update runs r set status = 'queued', attempt = r.attempt + 1, worker = null, last_seq = r.last_seq + 1,
    wake_at = clock_timestamp() + make_interval(secs => p_delay_ms / 1000.0)
  where r.account_id = p_account and r.id = p_run returning * into run;
  perform add_state(run, 'info', 'The run is queued for its next attempt.', '{}');
  return next run;
end $$;

-- What a run is charged of what is held for it, however it ends.
create or replace function used_of(p_run runs) returns bigint language sql immutable as $$
  select least(p_run.used_credits, p_run.held_credits)
$$;

-- Ends a run that is still this worker's; null stands for nobody. Settles what was held for it: what it costs where it
-- succeeded, else what it has used up. Purges what its tier does not keep. Answers the run; none: lost.
create or replace function finish_run(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_status text, p_result bytea, p_error jsonb, p_credits bigint, p_units int
) returns setof runs language plpgsql as $$
declare
  run runs;
  succeeded boolean := p_status = 'succeeded';
begin
  update runs r set status = p_status, result = p_result, error = p_error, worker = null, ready_at = null, wake_at = null,
    delayed_until = null, finished_at = clock_timestamp(), progress = case when p_status = 'succeeded' then 1 else r.progress end,
    charged_credits = r.charged_credits + case when succeeded then p_credits else used_of(r) end, last_seq = r.last_seq + 1,
    input = case when r.privacy_tier = 'strict' then null else r.input end
  where r.account_id = p_account and r.id = p_run and r.fence = p_fence
    and (r.worker = p_worker or (p_worker is null and r.worker is null)) and r.finished_at is null
  returning * into run;
  if not found then return; end if;
  if run.privacy_tier = 'strict' then
    update run_steps s set output = null where s.account_id = run.account_id and s.run_id = run.id;
  end if;
  perform add_state(run, case when p_status in ('failed', 'expired') then 'error' else 'info' end,
    coalesce(p_error->>'message', 'The run has ' || p_status || '.'),
    case p_status
      when 'succeeded' then jsonb_build_object('chargedCredits', run.charged_credits)
      else jsonb_build_object('finishedSteps', finished_steps(run), 'chargedCredits', run.charged_credits) end);
  if run.held_credits > 0 then perform ledger_close(run.account_id, run.id, case when succeeded then p_credits else used_of(run) end,
    case when succeeded then p_units else run.used_units end); end if;
  delete from event_waits w where w.account_id = run.account_id and w.run_id = run.id;
  update callbacks c set answer = null where c.account_id = run.account_id and c.run_id = run.id and c.answer is not null;
  -- Who waits for it is woken, and the runs that it waits for are cancelled, each by itself (follow-ends.ts).
  if run.depth > 0 or run.trigger_id is not null or (not succeeded and exists (
    select from runs c where c.account_id = run.account_id and c.parent_id = run.id and c.depth > 0 and c.finished_at is null))
  then
    insert into run_ends (account_id, run_id) values (run.account_id, run.id);
  end if;
  -- What it still waited for ends with it. One that is being decided is locked, and its decider waits for the run.
  update approvals a set status = 'cancelled', payload = case when a.keep_payload then a.payload end,
    sealed_payload = null
  where a.account_id = run.account_id and a.id in (
    select o.id from approvals o
    where o.account_id = run.account_id and o.run_id = run.id and o.status in ('pending', 'approved')
    for update skip locked);
  return next run;
end $$;

-- Asks a run to end. One that nobody works on ends at once; the worker that holds it does so at its next step's boundary.
-- Answers the run after each change; none where it has ended, or has been asked before.
create or replace function cancel_run(p_account uuid, p_run uuid) returns setof runs language plpgsql as $$
declare
  run runs;
begin
  update runs r set status = 'cancelling', last_seq = r.last_seq + 1
  where r.account_id = p_account and r.id = p_run and r.finished_at is null and r.status <> 'cancelling' returning * into run;
  if not found then return; end if;
  perform add_state(run, 'info', 'The run is being cancelled.', '{}');
  return next run;
  if run.worker is null then
    return query select * from finish_run(p_account, p_run, null, run.fence, 'cancelled', null,
      jsonb_build_object('code', 'cancelled', 'message', 'The run was cancelled.', 'step', null), 0, 0);
  end if;
end $$;

-- Ends runs that nobody works on and whose time is up; a worker ends those that it holds by itself.
create or replace function expire_runs(p_limit int) returns setof runs language plpgsql as $$
declare
  run runs;
begin
  for run in
    select * from runs r where r.finished_at is null and r.expires_at <= now() and r.worker is null
    order by r.expires_at limit p_limit for update skip locked
  loop
    return query select * from finish_run(run.account_id, run.id, null, run.fence, 'expired', null,
      jsonb_build_object('code', 'expired', 'message', 'The run did not end in its time.', 'step', null), 0, 0);
  end loop;
end $$;

-- Makes the runs of workers that died ready for others.
create or replace function release_runs(p_workers text[]) returns int language sql as $$
  with released as (
    update runs r set worker = null, ready_at = clock_timestamp(), crashes = r.crashes + 1
    where r.worker = any(p_workers) returning 1)
  select count(*)::int from released
$$;
