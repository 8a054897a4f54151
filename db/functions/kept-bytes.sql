-- The stored bytes of accounts' runs, events, memories and stored workflows. The statement that stores content also
-- counts it: in the run's row, and for the account in one of eight shards, chosen by session, so that transactions
-- seldom wait for each other. A run's bytes are added to the account's sum once they are many: a small run writes
-- nothing more. The order of locks is: the run, then the shard, then the rows that the ledger locks.

-- Returns the bytes of a timeline entry, including its row and that of its journal step. State entries are not counted:
-- they stay when a run is forgotten.
create or replace function entry_bytes(p_message text, p_data jsonb) returns bigint language sql immutable parallel safe as $$
  select greatest(256, octet_length(p_message) + coalesce(octet_length(p_data::text), 0))::bigint
$$;

-- Returns the bytes of an event, including its rows.
create or replace function event_bytes(p_data bytea, p_headers bytea) returns bigint language sql immutable parallel safe as $$
  select (512 + octet_length(p_data) + coalesce(octet_length(p_headers), 0))::bigint
$$;

-- Returns the bytes of a memory, including its row; 0 for none.
create or replace function memory_bytes(p_memory memories) returns bigint language sql immutable parallel safe as $$
  select case when p_memory.id is null then 0 else 512 + octet_length(p_memory.content) + octet_length(p_memory.metadata::text)
    + octet_length(array_to_string(p_memory.tags, ' ')) end::bigint
$$;

-- Returns the bytes of a stored workflow's version, including its row.
create or replace function version_bytes(p_version workflow_versions) returns bigint language sql immutable parallel safe as $$
  select (512 + octet_length(p_version.definition) + coalesce(octet_length(p_version.input_schema), 0))::bigint
$$;

-- Returns the account's stored bytes of a kind. In PL/pgSQL, which keeps the query's plan for the session.
create or replace function kept_bytes_of(p_account uuid, p_kind text) returns bigint language plpgsql stable as $$
begin
  return (select coalesce(sum(k.bytes), 0)::bigint from kept_bytes k where k.account_id = p_account and k.kind = p_kind);
end $$;

create or replace function add_kept_bytes(p_account uuid, p_kind text, p_bytes bigint) returns void language plpgsql as $$
begin
  insert into kept_bytes as k (account_id, kind, shard, bytes) values (p_account, p_kind, pg_backend_pid() % 8, p_bytes)
  on conflict (account_id, kind, shard) do update set bytes = k.bytes + excluded.bytes;
end $$;

-- Counts new bytes and returns null; if they exceed the budget, returns the bytes in use. Near the budget transactions
-- wait for one another, so that together they never exceed it.
create or replace function take_bytes(p_account uuid, p_kind text, p_bytes bigint, p_counted bigint, p_budget bigint)
returns bigint language plpgsql as $$
declare
  used bigint := kept_bytes_of(p_account, p_kind);
begin
  if p_counted > 0 and used + p_bytes between p_budget - 67108864 and p_budget then
    perform pg_advisory_xact_lock(hashtextextended('kept ' || p_kind || ' ' || p_account, 0));
    used := kept_bytes_of(p_account, p_kind);
  end if;
  if p_bytes >= 0 and used + p_bytes > p_budget then return used; end if;
  if p_counted <> 0 then perform add_kept_bytes(p_account, p_kind, p_counted); end if;
  return null;
end $$;

-- Adds a run's uncounted bytes to its account's sum if they are at least `p_least`. Returns whether the account then
-- exceeds its budget.
create or replace function count_run(p_run runs, p_least bigint, p_budget bigint) returns boolean language plpgsql as $$
begin
  if coalesce(abs(p_run.kept_bytes - p_run.counted_bytes), 0) < p_least then return false; end if;
  update runs r set counted_bytes = p_run.kept_bytes where r.account_id = p_run.account_id and r.id = p_run.id;
  perform add_kept_bytes(p_run.account_id, 'runs', p_run.kept_bytes - p_run.counted_bytes);
  return coalesce(kept_bytes_of(p_run.account_id, 'runs') > p_budget, false);
end $$;

-- Ends a worker's write: subtracts the bytes that the write has replaced, and counts the run's bytes. Returns the run's
-- status, or `over` if its account has exceeded its budget.
create or replace function seen_of(p_run runs, p_replaced bigint, p_budget bigint) returns text language plpgsql as $$
begin
  if p_replaced <> 0 then
    update runs r set kept_bytes = r.kept_bytes - p_replaced
    where r.account_id = p_run.account_id and r.id = p_run.id returning * into p_run;
  end if;
  if p_run.kept_bytes - p_run.counted_bytes >= 65536 and count_run(p_run, 65536, p_budget) and p_run.status = 'running' then
    return 'over';
  end if;
  return p_run.status;
end $$;

-- Returns the counted bytes of an ended run. A run that ended before bytes were counted has null: the migration has
-- added its payloads to the sum.
create or replace function counted_of(p_run runs) returns bigint language sql stable as $$
  select coalesce(p_run.counted_bytes, coalesce(octet_length(p_run.input), 0) + coalesce(octet_length(p_run.result), 0) + (
    select coalesce(sum(octet_length(s.output)), 0) from run_steps s where s.account_id = p_run.account_id and s.run_id = p_run.id))
$$;

-- Deletes the payloads of an ended run except its journal, which forget_steps deletes.
create or replace function forget_run(p_account uuid, p_run uuid) returns void language plpgsql as $$
declare
  run runs;
  counted bigint;
  rest bigint;
begin
  select * into run from runs r
  where r.account_id = p_account and r.id = p_run and r.finished_at is not null and r.forgotten_at is null for no key update;
  if not found then return; end if;
  counted := counted_of(run);
  select coalesce(sum(octet_length(s.output)), 0) into rest from run_steps s where s.account_id = p_account and s.run_id = p_run;
  delete from run_timeline e where e.account_id = p_account and e.run_id = p_run and e.type <> 'state';
  update runs r set input = null, result = null, name = null, forgotten_at = clock_timestamp(), kept_bytes = rest, counted_bytes = rest
  where r.account_id = p_account and r.id = p_run;
  perform add_kept_bytes(p_account, 'runs', rest - counted);
end $$;

-- Deletes about `p_bytes` of a forgotten run's steps. Returns whether more are left.
create or replace function forget_steps(p_account uuid, p_run uuid, p_bytes bigint) returns boolean language plpgsql as $$
declare
  gone bigint;
begin
  perform from runs r where r.account_id = p_account and r.id = p_run for no key update;
  with deleted as (
    delete from run_steps s where s.account_id = p_account and s.run_id = p_run and s.name in (
      select n.name from (
        select t.name, sum(coalesce(octet_length(t.output), 0)) over (order by t.name) - coalesce(octet_length(t.output), 0) as before
        from run_steps t where t.account_id = p_account and t.run_id = p_run) n
      where n.before < p_bytes)
    returning octet_length(s.output) as bytes)
  select coalesce(sum(d.bytes), 0) into gone from deleted d;
  if gone > 0 then
    update runs r set kept_bytes = r.kept_bytes - gone, counted_bytes = r.counted_bytes - gone where r.account_id = p_account and r.id = p_run;
    perform add_kept_bytes(p_account, 'runs', -gone);
  end if;
  return exists (select from run_steps s where s.account_id = p_account and s.run_id = p_run);
end $$;

-- Deletes the payloads of up to `p_limit` runs of the tiers `private` and `strict` that ended before a time. Returns
-- their number.
create or replace function purge_runs(p_before timestamptz, p_limit int) returns int language plpgsql as $$
declare
  gone record;
  purged int := 0;
begin
  for gone in
    with due as (
      select r.account_id, r.id, coalesce(octet_length(r.input), 0) + coalesce(octet_length(r.result), 0) as bytes from runs r
      where r.privacy_tier <> 'standard' and r.finished_at < p_before and (r.input is not null or r.result is not null)
        and r.account_id <> all((select frozen_ids())::uuid[])
      limit p_limit for update skip locked),
    outputs as (
      update run_steps s set output = null from due d where s.account_id = d.account_id and s.run_id = d.id and s.output is not null
      returning s.account_id, s.run_id, octet_length(old.output) as bytes),
    -- Messages that can quote the payloads; kept-text.ts writes the same.
    texts as (
      update run_timeline e set message = 'The privacy tier does not keep this text.',
        data = case when e.type not in ('log', 'progress') then e.data end
      from due d where e.account_id = d.account_id and e.run_id = d.id
        and (e.type in ('log', 'progress', 'retry') or e.level = 'error')
      returning e.account_id, e.run_id, entry_bytes(old.message, old.data) - entry_bytes(new.message, new.data) as bytes),
    freed as (select * from outputs union all select * from texts),
    payloads as (
      select d.account_id, d.id, d.bytes + coalesce((
        select sum(f.bytes) from freed f where f.account_id = d.account_id and f.run_id = d.id), 0) as bytes from due d),
    updated as (
      update runs r set input = null, result = null, name = null, kept_bytes = r.kept_bytes - p.bytes,
        error = r.error || '{"message": "The privacy tier does not keep this text."}',
        counted_bytes = greatest(0, r.counted_bytes - p.bytes)
      from payloads p where r.account_id = p.account_id and r.id = p.id
      returning r.account_id, coalesce(old.counted_bytes - new.counted_bytes, p.bytes) as bytes)
    select u.account_id, count(*)::int as runs, sum(u.bytes)::bigint as bytes from updated u group by 1 order by 1
  loop
    if gone.bytes <> 0 then perform add_kept_bytes(gone.account_id, 'runs', -gone.bytes); end if;
    purged := purged + gone.runs;
  end loop;
  return purged;
end $$;

-- Deletes the ended runs with ids below the smallest id of a time, that is, those created before it.
create or replace function drop_runs(p_before uuid) returns void language plpgsql as $$
declare
  gone record;
begin
  for gone in
    with dropped as (delete from runs r where r.id < p_before and r.finished_at is not null returning r.account_id, counted_of(r) as bytes)
    select d.account_id, sum(d.bytes)::bigint as bytes from dropped d group by 1 order by 1
  loop
    perform add_kept_bytes(gone.account_id, 'runs', -gone.bytes);
  end loop;
end $$;

-- Deletes up to `p_limit` events that were sent before a time. Returns their number. Platform events are not counted
-- against the budget.
create or replace function drop_events(p_before timestamptz, p_limit int) returns int language plpgsql as $$
declare
  gone record;
  dropped int := 0;
begin
  for gone in
    with deleted as (
      delete from sent_events e where (e.account_id, e.id) in (
        select o.account_id, o.id from sent_events o where o.sent_at < p_before limit p_limit)
      returning e.account_id,
        case when e.space = '00000000-0000-0000-0000-000000000000' then 0 else event_bytes(e.data, e.headers) end as bytes)
    select d.account_id, count(*)::int as events, sum(d.bytes)::bigint as bytes from deleted d group by 1 order by 1
  loop
    if gone.bytes <> 0 then perform add_kept_bytes(gone.account_id, 'events', -gone.bytes); end if;
    dropped := dropped + gone.events;
  end loop;
  return dropped;
end $$;
