-- The journal of a run's steps: a step in it is never executed again. runs.sql explains the fence.

-- Returns the step of a name in the journal: `steps.send` for `steps.send:attempt2`.
create or replace function step_path(p_name text) returns text language sql immutable as $$
  select regexp_replace(p_name, ':\w+', '', 'g')
$$;

-- Returns a run's finished steps, in order.
create or replace function finished_steps(p_run runs) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(done.path order by done.at, done.path), '[]') from (
    select step_path(s.name) as path, min(s.at) as at from run_steps s
    where s.account_id = p_run.account_id and s.run_id = p_run.id and s.state = 'done' group by 1) done
$$;

-- Copies to a new run the steps that an earlier run had finished before a given step, so that it continues there. If a
-- block around that step has failed, the steps that followed from the failure are not copied, nor are the deadlines of
-- blocks, which get their whole time again. Returns null; if the
-- account's budget has no room for them, the bytes that its runs keep.
drop function if exists take_over_steps(uuid, uuid, uuid, text, text, jsonb);
create or replace function take_over_steps(
  p_account uuid, p_from uuid, p_run uuid, p_step text, p_message text, p_data jsonb, p_budget bigint
) returns bigint language plpgsql as $$
declare
  run runs;
  copied bigint;
begin
  with copies as (insert into run_steps (account_id, run_id, name, state, output, at)
  select s.account_id, p_run, s.name, s.state, s.output, s.at from run_steps s
  where s.account_id = p_account and s.run_id = p_from and s.state in ('done', 'noted') and step_path(s.name) <> p_step
    and s.name not like '%:deadline'
    and s.at < coalesce(
      (select min(b.at) from run_steps b
        where b.account_id = p_account and b.run_id = p_from
          and (step_path(b.name) = p_step and b.state = 'done' or b.name like '%:failed' and starts_with(p_step, step_path(b.name) || '.'))),
      'infinity')
    returning octet_length(output) as bytes)
  select coalesce(sum(c.bytes), 0) into copied from copies c;
  select * into run from runs r where r.account_id = p_account and r.id = p_run for no key update;
  p_data := p_data || jsonb_build_object('finishedSteps', finished_steps(run));
  update runs r set last_seq = r.last_seq + 1, kept_bytes = r.kept_bytes + copied + entry_bytes(p_message, p_data)
  where r.account_id = p_account and r.id = p_run returning * into run;
  perform add_entry(run, 'log', null, 'info', p_message, p_data);
  return count_more(p_account, p_run, p_budget);
end $$;

-- Records a finished step in the journal, in the transaction of its effects; `p_used` is the total of credits that the run
-- has used, if it has changed. Returns the run's status; null if the worker has lost the run.
drop function if exists finish_step(uuid, uuid, text, int, text, bytea, bigint, int, bigint, int);
create or replace function finish_step(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_name text, p_output bytea, p_charged bigint, p_ms int,
  p_used_credits bigint, p_used_units int, p_budget bigint
) returns text language plpgsql as $$
declare
  -- The message and data of the entry below are short.
  run runs := touch_run(p_account, p_run, p_worker, p_fence, 256 + coalesce(octet_length(p_output), 0));
  replaced bigint;
begin
  if run.id is null then return null; end if;
  if p_charged > 0 or run.crashes > 0 or p_used_credits is not null then
    update runs r set charged_credits = r.charged_credits + p_charged, crashes = 0,
      used_credits = coalesce(p_used_credits, r.used_credits), used_units = coalesce(p_used_units, r.used_units)
    where r.account_id = p_account and r.id = p_run;
  end if;
  insert into run_steps as s (account_id, run_id, name, state, output, at)
  values (p_account, p_run, p_name, 'done', p_output, clock_timestamp())
  on conflict (account_id, run_id, name) do update set state = 'done', output = excluded.output, wake_at = null, at = excluded.at
  where s.state <> 'done' returning coalesce(octet_length(old.output), 0) into replaced;
  if not found then raise 'Run % has finished step % before.', p_run, p_name; end if;
  perform add_entry(run, 'step', step_path(p_name), 'info', 'The step is done.',
    jsonb_build_object('status', 'succeeded', 'durationMs', p_ms, 'chargedCredits', p_charged));
  if replaced = 0 and run.kept_bytes - run.counted_bytes < 65536 then return run.status; end if;
  return seen_of(run, replaced, p_budget);
end $$;

-- Records a value in the journal that a replay must find unchanged and no timeline shows. Returns the run's status; null if
-- the worker has lost the run.
drop function if exists note_step(uuid, uuid, text, int, text, bytea);
create or replace function note_step(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_name text, p_output bytea, p_budget bigint
) returns text language plpgsql as $$
declare
  run runs;
  replaced bigint;
begin
  update runs r set kept_bytes = r.kept_bytes + coalesce(octet_length(p_output), 0)
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence returning * into run;
  if not found then return null; end if;
  insert into run_steps (account_id, run_id, name, state, output, at)
  values (p_account, p_run, p_name, 'noted', p_output, clock_timestamp())
  on conflict (account_id, run_id, name) do update set state = 'noted', output = excluded.output, wake_at = null
  returning coalesce(octet_length(old.output), 0) into replaced;
  return seen_of(run, replaced, p_budget);
end $$;

-- Records the begin of a step that can't be undone (`sent`) or that waits (`waiting`, until `p_wake_at` if that is known).
-- Returns the run's status; null if the worker has lost the run.
drop function if exists open_step(uuid, uuid, text, int, text, text, bytea, timestamptz, jsonb);
create or replace function open_step(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_name text, p_state text, p_output bytea, p_wake_at timestamptz, p_data jsonb,
  p_budget bigint
) returns text language plpgsql as $$
declare
  run runs;
  bytes bigint := coalesce(octet_length(p_output), 0);
  message text := case p_state when 'sent' then 'The step is sent.' else 'The step waits.' end;
  replaced bigint;
begin
  -- A step that waits for several windows in turn gets one timeline entry.
  if p_state = 'waiting' and exists (
    select from run_steps s where s.account_id = p_account and s.run_id = p_run and s.name = p_name and s.state = 'waiting')
  then
    select * into run from runs r
    where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence for no key update;
    if not found then return null; end if;
    update run_steps s set output = p_output, wake_at = p_wake_at where s.account_id = p_account and s.run_id = p_run and s.name = p_name
    returning coalesce(octet_length(old.output), 0) into replaced;
    return seen_of(run, replaced - bytes, p_budget);
  end if;
  p_data := jsonb_build_object('status', p_state) || p_data;
  run := touch_run(p_account, p_run, p_worker, p_fence, bytes + entry_bytes(message, p_data));
  if run.id is null then return null; end if;
  insert into run_steps (account_id, run_id, name, state, output, wake_at, at)
  values (p_account, p_run, p_name, p_state, p_output, p_wake_at, clock_timestamp())
  on conflict (account_id, run_id, name) do update set state = p_state, output = p_output, wake_at = p_wake_at
  returning coalesce(octet_length(old.output), 0) into replaced;
  perform add_entry(run, 'step', step_path(p_name), 'info', message, p_data);
  return seen_of(run, replaced, p_budget);
end $$;

-- Records that a step has failed, and removes it from the journal if it certainly had no effect.
drop function if exists fail_step(uuid, uuid, text, int, text, boolean, text, text);
create or replace function fail_step(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_name text, p_certain boolean, p_code text, p_message text, p_budget bigint
) returns text language plpgsql as $$
declare
  data jsonb := jsonb_build_object('status', case when p_certain then 'failed' else 'unknown' end, 'code', p_code);
  run runs := touch_run(p_account, p_run, p_worker, p_fence, entry_bytes(p_message, data));
  gone bigint;
begin
  if run.id is null then return null; end if;
  if p_certain then
    delete from run_steps s where s.account_id = p_account and s.run_id = p_run and s.name = p_name and s.state <> 'done'
    returning octet_length(s.output) into gone;
  end if;
  perform add_entry(run, 'step', step_path(p_name), 'error', p_message, data);
  return seen_of(run, coalesce(gone, 0), p_budget);
end $$;

-- Records a failed attempt of a step and the time of the next one, in the journal under `p_note`. Returns the run's status;
-- null if the worker has lost the run.
drop function if exists retry_step(uuid, uuid, text, int, text, text, bytea, boolean, text, text, int, bigint);
create or replace function retry_step(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_name text, p_note text, p_output bytea, p_certain boolean,
  p_code text, p_message text, p_attempt int, p_delay_ms bigint, p_budget bigint
) returns text language plpgsql as $$
declare
  data jsonb := jsonb_build_object('code', p_code, 'attempt', p_attempt, 'nextAttempt', p_attempt + 1, 'delayMs', p_delay_ms);
  run runs := touch_run(p_account, p_run, p_worker, p_fence, coalesce(octet_length(p_output), 0) + entry_bytes(p_message, data));
  gone bigint;
begin
  if run.id is null then return null; end if;
  if p_certain then
    delete from run_steps s where s.account_id = p_account and s.run_id = p_run and s.name = p_name and s.state <> 'done'
    returning octet_length(s.output) into gone;
  end if;
  insert into run_steps (account_id, run_id, name, state, output, wake_at, at)
  values (p_account, p_run, p_note, case when p_delay_ms > 0 then 'waiting' else 'noted' end, p_output,
    case when p_delay_ms > 0 then clock_timestamp() + p_delay_ms * interval '1 millisecond' end, clock_timestamp());
  perform add_entry(run, 'retry', step_path(p_name), 'warn', p_message, data);
  return seen_of(run, coalesce(gone, 0), p_budget);
end $$;

-- Ends the waits of steps inside a failed block, and records the failure under `p_note` if that is given. Returns the run's
-- status and the ids of the approvals and runs to be ended with it; no row if the worker has lost the run.
drop function if exists end_waits(uuid, uuid, text, int, text, text, bytea, text, text);
create or replace function end_waits(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_block text, p_note text, p_output bytea, p_code text, p_step text, p_budget bigint
) returns table (seen text, approval_ids text[], run_ids text[]) language plpgsql as $$
declare
  run runs;
  block text := step_path(p_block);
  waiting record;
  begun jsonb;
begin
  select * into run from runs r
  where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence for no key update;
  if not found then return; end if;
  seen := run.status;
  for waiting in
    delete from run_steps s
    where s.account_id = p_account and s.run_id = p_run and s.state = 'waiting'
      and (starts_with(step_path(s.name), block || '.') or starts_with(step_path(s.name), block || '['))
    returning s.name, step_path(s.name) as path, coalesce(octet_length(s.output), 0) as bytes
  loop
    delete from event_waits w where w.account_id = p_account and w.run_id = p_run and w.step = waiting.name;
    update callbacks c set until = least(c.until, clock_timestamp() - interval '1 millisecond')
    where c.account_id = p_account and c.run_id = p_run and c.step = waiting.name and c.digest is null;
    select e.data into begun from run_timeline e
    where e.account_id = p_account and e.run_id = p_run and e.step = waiting.path and e.data ->> 'status' = 'waiting'
    order by e.seq desc limit 1;
    approval_ids := approval_ids || (begun ->> 'approvalId');
    run_ids := run_ids || (begun ->> 'runId');
    run := touch_run(p_account, p_run, p_worker, p_fence, 256 - waiting.bytes);
    perform add_entry(run, 'step', waiting.path, 'warn', 'The step is cancelled: a step beside it has failed.',
      jsonb_build_object('status', 'cancelled'));
  end loop;
  approval_ids := array_remove(approval_ids, null);
  run_ids := array_remove(run_ids, null);
  if p_note is not null then
    perform note_step(p_account, p_run, p_worker, p_fence, p_note, p_output, null);
    begun := jsonb_build_object('code', p_code, 'failedStep', p_step);
    run := touch_run(p_account, p_run, p_worker, p_fence, entry_bytes('Its steps have failed.', begun));
    perform add_entry(run, 'log', block, 'warn', 'Its steps have failed.', begun);
    seen := seen_of(run, 0, p_budget);
  end if;
  return next;
end $$;
