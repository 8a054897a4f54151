-- Only the worker that has claimed a run may change it, identified by `worker` and the `fence` of that claim. The order of
-- locks is: the run, then the rows that the ledger locks.

-- Adds the entry numbered `last_seq` to a run's timeline; the row is locked, so numbers and times rise together.
create or replace function add_entry(
  p_run runs, p_type text, p_step text, p_level text, p_message text, p_data jsonb
) returns void language sql as $$
  insert into run_timeline (account_id, run_id, seq, at, type, step, level, message, data)
  values (p_run.account_id, p_run.id, p_run.last_seq, clock_timestamp(), p_type, p_step, p_level, p_message, p_data)
$$;

-- Records a run's new state in its timeline, and publishes it to webhooks if the account has any.
create or replace function add_state(p_run runs, p_level text, p_message text, p_data jsonb) returns void language plpgsql as $$
begin
  perform add_entry(p_run, 'state', null, p_level, p_message, jsonb_build_object('status', p_run.status) || p_data);
  if wants_events(p_run.account_id) then
    insert into run_announcements (account_id, run_id, seq) values (p_run.account_id, p_run.id, p_run.last_seq);
  end if;
end $$;

-- Gives a new run its first state. A run that starts later becomes ready in begin_run, a run with concurrency keys when it
-- is called for a slot. Returns null; if the account's budget has no room for the run, the bytes that its runs keep.
drop function if exists queue_run(uuid, uuid);
create or replace function queue_run(p_account uuid, p_run uuid, p_budget bigint) returns bigint language plpgsql as $$
declare
  run runs;
begin
  update runs r set last_seq = 1, counted_bytes = case when r.kept_bytes >= 1024 then r.kept_bytes else 0 end,
    ready_at = case when r.delayed_until is null and r.concurrency is null then clock_timestamp() end,
    queued_at = case when r.delayed_until is null and r.concurrency is not null then clock_timestamp() end
  where r.account_id = p_account and r.id = p_run returning * into run;
  perform add_state(run, 'info', 'The run is queued.', '{}');
  if run.queued_at is not null then perform ask_for_slots(run); end if;
  return take_bytes(p_account, 'runs', run.kept_bytes, run.counted_bytes, p_budget);
end $$;

-- Counts the bytes that a queued run keeps in addition, by another input or by the steps of the run that it retries;
-- returns the same as queue_run.
create or replace function count_more(p_account uuid, p_run uuid, p_budget bigint) returns bigint language plpgsql as $$
declare
  run runs;
  more bigint;
begin
  select * into run from runs r where r.account_id = p_account and r.id = p_run;
  more := run.kept_bytes - run.counted_bytes;
  if abs(more) < 1024 then more := 0; end if;
  update runs r set counted_bytes = r.counted_bytes + more where more <> 0 and r.account_id = p_account and r.id = p_run;
  if more < 0 then perform add_kept_bytes(p_account, 'runs', more); end if;
  return take_bytes(p_account, 'runs', greatest(more, 0), greatest(more, 0), p_budget);
end $$;

-- Makes a delayed run ready, with the credits that are held for it from now on.
drop function if exists begin_run(uuid, uuid, bigint);
create or replace function begin_run(p_account uuid, p_run uuid, p_held bigint) returns void language plpgsql as $$
declare
  run runs;
begin
  update runs r set delayed_until = null, held_credits = p_held, ready_at = case when r.concurrency is null then clock_timestamp() end,
    queued_at = case when r.concurrency is not null then clock_timestamp() end
  where r.account_id = p_account and r.id = p_run and r.delayed_until is not null returning * into run;
  if run.queued_at is not null then perform ask_for_slots(run); end if;
end $$;

-- Postpones a run that was due and can't start yet, and logs the reason once in its timeline. A later call may have put it
-- off meanwhile: then it stays due at that call's time.
create or replace function postpone_run(p_account uuid, p_run uuid, p_code text, p_message text, p_seconds int)
returns void language plpgsql as $$
declare
  run runs;
begin
  update runs r set delayed_until = clock_timestamp() + make_interval(secs => p_seconds)
  where r.account_id = p_account and r.id = p_run and r.delayed_until <= clock_timestamp() and r.finished_at is null returning * into run;
  if not found or exists (select from run_timeline e
    where e.account_id = p_account and e.run_id = p_run and e.seq = run.last_seq and e.data ->> 'code' = p_code) then return; end if;
  update runs r set last_seq = r.last_seq + 1, kept_bytes = r.kept_bytes + entry_bytes(p_message, jsonb_build_object('code', p_code))
  where r.account_id = p_account and r.id = p_run returning * into run;
  perform add_entry(run, 'log', null, 'warn', p_message, jsonb_build_object('code', p_code));
end $$;

-- Begins a worker's change of a run: locks the row, increments the number of its timeline and adds the bytes that the change
-- keeps. Returns null if the worker has lost the run.
drop function if exists touch_run(uuid, uuid, text, int);
create or replace function touch_run(p_account uuid, p_run uuid, p_worker text, p_fence int, p_bytes bigint) returns runs language sql as $$
  update runs r set last_seq = r.last_seq + 1, kept_bytes = r.kept_bytes + p_bytes
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence
  returning r
$$;

-- Records a line that the handler logs, or its progress. Returns the run's status; null if the worker has lost the run.
drop function if exists log_run(uuid, uuid, text, int, text, text, jsonb, float8);
create or replace function log_run(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_level text, p_message text, p_data jsonb, p_progress float8, p_budget bigint
) returns text language plpgsql as $$
declare
  run runs := touch_run(p_account, p_run, p_worker, p_fence, entry_bytes(p_message, p_data));
begin
  if run.id is null then return null; end if;
  update runs r set progress = coalesce(p_progress, r.progress), logged = r.logged + case when p_progress is null then 1 else 0 end
  where r.account_id = p_account and r.id = p_run;
  perform add_entry(run, case when p_progress is null then 'log' else 'progress' end, null, p_level, p_message, p_data);
  return seen_of(run, 0, p_budget);
end $$;

-- Releases a waiting run. It becomes ready when its first wait is over, or at once if an event has come meanwhile. Returns
-- the run; no row if the worker has lost it or it is to be cancelled.
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
  perform count_run(run, 1024, null);
  if run.concurrency is not null and run.ready_at is null then perform free_slots(run, false); end if;
  if p_approval then perform add_state(run, 'info', 'The run waits for an approval.', '{}'); end if;
  return next run;
end $$;

-- Makes a run ready after an event for which it may wait.
create or replace function wake_run(p_account uuid, p_run uuid) returns void language sql as $$
  update runs r set woken = r.worker is not null,
    ready_at = case when r.worker is null then coalesce(r.ready_at, clock_timestamp()) end, wake_at = null
  where r.account_id = p_account and r.id = p_run and r.finished_at is null
$$;

create or replace function retry_data(p_run runs, p_error jsonb, p_delay_ms int) returns jsonb language sql immutable as $$
  select jsonb_build_object('code', p_error->>'code', 'attempt', p_run.attempt, 'nextAttempt', p_run.attempt + 1, 'delayMs', p_delay_ms)
$$;

-- Queues a run's next attempt. Returns the run; no row if the worker has lost it or it is to be cancelled.
create or replace function retry_run(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_error jsonb, p_delay_ms int
) returns setof runs language plpgsql as $$
declare
  run runs;
begin
  update runs r set last_seq = r.last_seq + 1, kept_bytes = r.kept_bytes + entry_bytes(p_error->>'message', retry_data(r, p_error, p_delay_ms))
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence and r.status <> 'cancelling'
  returning * into run;
  if not found then return; end if;
  perform add_entry(run, 'retry', p_error->>'step', 'warn', p_error->>'message', retry_data(run, p_error, p_delay_ms));
  update runs r set status = 'queued', attempt = r.attempt + 1, worker = null, last_seq = r.last_seq + 1,
    wake_at = clock_timestamp() + make_interval(secs => p_delay_ms / 1000.0)
  where r.account_id = p_account and r.id = p_run returning * into run;
  perform count_run(run, 1024, null);
  if run.concurrency is not null then perform free_slots(run, false); end if;
  perform add_state(run, 'info', 'The run is queued for its next attempt.', '{}');
  return next run;
end $$;

-- Cancels approvals for which a run waits; all of them if p_ids is null. Skips an approval that is being decided: it is
-- locked, and its decision waits for the run.
create or replace function cancel_approvals(p_account uuid, p_run uuid, p_ids uuid[]) returns void language sql as $$
  update approvals a set status = 'cancelled', payload = case when a.keep_payload then a.payload end, sealed_payload = null
  where a.account_id = p_account and a.id in (
    select o.id from approvals o
    where o.account_id = p_account and o.run_id = p_run and o.status in ('pending', 'approved') and (p_ids is null or o.id = any(p_ids))
    for update skip locked)
$$;

-- Returns the part of the held credits that a run is charged, however it ends.
create or replace function used_of(p_run runs) returns bigint language sql immutable as $$
  select least(p_run.used_credits, p_run.held_credits)
$$;

-- Ends a run of this worker, or with null a run of no worker. Charges its price if it has succeeded, else the credits
-- that it has used, and releases the rest. Purges the data that its privacy tier does not keep. Returns the run; no row
-- if the worker has lost it.
create or replace function finish_run(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_status text, p_result bytea, p_error jsonb, p_credits bigint, p_units int
) returns setof runs language plpgsql as $$
declare
  run runs;
  succeeded boolean := p_status = 'succeeded';
  outputs bigint := 0;
  answers bigint;
begin
  update runs r set status = p_status, result = p_result, error = p_error, worker = null, ready_at = null, wake_at = null,
    queued_at = null, delayed_until = null, finished_at = clock_timestamp(), progress = case when p_status = 'succeeded' then 1 else r.progress end,
    charged_credits = r.charged_credits + case when succeeded then p_credits else used_of(r) end, last_seq = r.last_seq + 1,
    input = case when r.privacy_tier = 'strict' then null else r.input end,
    kept_bytes = r.kept_bytes + coalesce(octet_length(p_result), 0)
      - case when r.privacy_tier = 'strict' then coalesce(octet_length(r.input), 0) else 0 end
  where r.account_id = p_account and r.id = p_run and r.fence = p_fence
    and (r.worker = p_worker or (p_worker is null and r.worker is null)) and r.finished_at is null
  returning * into run;
  if not found then return; end if;
  if run.privacy_tier = 'strict' then
    with purged as (
      update run_steps s set output = null where s.account_id = run.account_id and s.run_id = run.id returning octet_length(old.output) as bytes)
    select coalesce(sum(p.bytes), 0) into outputs from purged p;
  end if;
  with purged as (
    update callbacks c set answer = null, message = null
    where c.account_id = run.account_id and c.run_id = run.id and (c.answer is not null or c.message is not null)
    returning octet_length(old.answer) as bytes)
  select coalesce(sum(p.bytes), 0) into answers from purged p;
  if outputs + answers > 0 then
    update runs r set kept_bytes = r.kept_bytes - outputs - answers where r.account_id = run.account_id and r.id = run.id returning * into run;
  end if;
  if run.kept_bytes - run.counted_bytes not between -1023 and 1023 then perform count_run(run, 1024, null); end if;
  perform add_state(run, case when p_status in ('failed', 'expired') then 'error' else 'info' end,
    coalesce(p_error->>'message', 'The run has ' || p_status || '.'),
    case p_status
      when 'succeeded' then jsonb_build_object('chargedCredits', run.charged_credits)
      else jsonb_build_object('finishedSteps', finished_steps(run), 'chargedCredits', run.charged_credits) end);
  if run.concurrency is not null then perform free_slots(run, true); end if;
  if run.held_credits > 0 then perform ledger_close(run.account_id, run.id, case when succeeded then p_credits else used_of(run) end,
    case when succeeded then p_units else run.used_units end); end if;
  delete from event_waits w where w.account_id = run.account_id and w.run_id = run.id;
  -- follow-ends.ts wakes the runs that wait for it, and cancels the runs for which it waits, one by one.
  if run.depth > 0 or run.trigger_id is not null or (not succeeded and exists (
    select from runs c where c.account_id = run.account_id and c.parent_id = run.id and c.depth > 0 and c.finished_at is null))
  then
    insert into run_ends (account_id, run_id) values (run.account_id, run.id);
  end if;
  perform cancel_approvals(run.account_id, run.id, null);
  return next run;
end $$;

-- Cancels a run: at once if no worker has it, else its worker ends it before its next step. Returns the run after each
-- change; no row if it has ended or is being cancelled.
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

-- Ends expired runs that no worker has; a worker ends its own expired runs itself.
create or replace function expire_runs(p_limit int) returns setof runs language plpgsql as $$
declare
  run runs;
begin
  for run in
    select * from runs r where r.finished_at is null and r.expires_at <= now() and r.worker is null
      and r.account_id <> all((select frozen_ids())::uuid[])
    order by r.expires_at limit p_limit for update skip locked
  loop
    return query select * from finish_run(run.account_id, run.id, null, run.fence, 'expired', null,
      jsonb_build_object('code', 'expired', 'message', 'The run did not end in its time.', 'step', null), 0, 0);
  end loop;
end $$;

-- Makes runs of workers that have died ready for other workers.
create or replace function release_runs(p_workers text[]) returns int language sql as $$
  with released as (
    update runs r set worker = null, ready_at = clock_timestamp(), crashes = r.crashes + 1
    where r.worker = any(p_workers) returning 1)
  select count(*)::int from released
$$;
