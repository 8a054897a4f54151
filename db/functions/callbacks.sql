-- Callbacks of steps. Whether a call back is accepted is decided under the lock of the callback's run.

-- Returns until when a callback accepts calls.
create or replace function callback_ends(p_callback callbacks) returns timestamptz language sql stable as $$
  select least(p_callback.until, p_callback.heartbeat_at + p_callback.heartbeat_seconds * interval '1 second')
$$;

-- Stores a call back: a result, which has a digest and ends the step's wait, or a heartbeat, which has none. Returns
-- `taken`, `repeated` if the same result was stored before, or `over`.
create or replace function take_callback(
  p_account uuid, p_run uuid, p_step text, p_attempt int, p_digest text, p_answer bytea, p_failed boolean, p_progress float8, p_message text
) returns text language plpgsql as $$
declare
  run runs;
  c callbacks;
begin
  select * into run from runs r where r.account_id = p_account and r.id = p_run for no key update;
  select * into c from callbacks x
  where x.account_id = p_account and x.run_id = p_run and x.step = p_step and x.attempt = p_attempt;
  if c.digest is not null then return case when c.digest = p_digest then 'repeated' else 'over' end; end if;
  if run.id is null or run.finished_at is not null or run.status = 'cancelling' or callback_ends(c) <= clock_timestamp()
    or exists (select from callbacks n
      where n.account_id = p_account and n.run_id = p_run and n.step = p_step and n.attempt > p_attempt)
  then return 'over'; end if;
  if p_digest is null then
    update callbacks x set heartbeat_at = clock_timestamp(), progress = coalesce(p_progress, x.progress), message = p_message
    where x.account_id = p_account and x.run_id = p_run and x.step = p_step and x.attempt = p_attempt;
  else
    update callbacks x set digest = p_digest, answer = p_answer, failed = p_failed
    where x.account_id = p_account and x.run_id = p_run and x.step = p_step and x.attempt = p_attempt;
    update runs r set kept_bytes = r.kept_bytes + coalesce(octet_length(p_answer), 0) where r.account_id = p_account and r.id = p_run;
    perform wake_run(p_account, p_run);
  end if;
  return 'taken';
end $$;

-- Opens the callback of an attempt, once. Returns false if the worker has lost the run.
create or replace function open_callback(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text, p_attempt int, p_nonce text, p_hash text, p_seconds float8, p_heartbeat int
) returns boolean language plpgsql as $$
begin
  perform from runs r where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence for no key update;
  if not found then return false; end if;
  insert into callbacks (account_id, run_id, step, attempt, nonce, token_hash, at, until, heartbeat_seconds)
  values (p_account, p_run, p_step, p_attempt, p_nonce, p_hash, clock_timestamp(), clock_timestamp() + make_interval(secs => p_seconds), p_heartbeat)
  on conflict do nothing;
  return true;
end $$;

-- Returns the state of a step's callback to the worker of its run; no row if the worker has lost the run. `p_sent` starts
-- the time limit of heartbeats, `p_ends` closes the callback.
create or replace function check_callback(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text, p_attempt int, p_sent boolean, p_ends boolean
) returns table (answered boolean, failed boolean, answer bytea, late boolean, ends_ms float8) language plpgsql as $$
begin
  perform from runs r where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence for no key update;
  if not found then return; end if;
  if p_sent or p_ends then
    update callbacks x set heartbeat_at = coalesce(x.heartbeat_at, clock_timestamp()),
      until = case when p_ends then least(x.until, clock_timestamp() - interval '1 millisecond') else x.until end
    where x.account_id = p_account and x.run_id = p_run and x.step = p_step and x.attempt = p_attempt and x.digest is null;
  end if;
  return query
  select x.digest is not null, x.failed, x.answer, x.digest is null and callback_ends(x) <= clock_timestamp(),
    (extract(epoch from callback_ends(x)) * 1000)::float8
  from callbacks x where x.account_id = p_account and x.run_id = p_run and x.step = p_step and x.attempt = p_attempt;
end $$;
