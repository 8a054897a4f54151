-- Each run with a concurrency key holds one of the key's slots. A session that takes a slot, or queues a run for one, locks
-- the key's row and counts the held slots. No session waits for that lock: a run whose key is locked is tried again later.
-- A session that frees or requests a slot locks no key that was used in the last hour; it inserts a signal in the same
-- transaction. The workers that
-- claim runs process the signals, and then see the committed changes.

-- Creates the slots of a new run, one for each of its keys. With `p_sets` the run's limits become those of the keys.
create or replace function add_slots(p_account uuid, p_run uuid, p_space uuid, p_sets boolean) returns void language plpgsql as $$
declare
  keys jsonb := (select r.concurrency from runs r where r.account_id = p_account and r.id = p_run);
begin
  -- Keeps sweep_slots from deleting a key that no run has used for long: the new slots are not visible to it yet.
  with unused as (
    select k.space, k.key from concurrency_keys k
    where k.account_id = p_account and k.space = p_space and k.key in (select c.key from jsonb_to_recordset(keys) c(key text))
      and k.used_at < clock_timestamp() - interval '1 hour'
    order by k.key for no key update)
  update concurrency_keys k set used_at = clock_timestamp() from unused u
  where k.account_id = p_account and k.space = u.space and k.key = u.key;
  insert into concurrency_keys (account_id, space, key, most, used_at)
  select p_account, p_space, c.key, c."limit", clock_timestamp() from jsonb_to_recordset(keys) c(key text, "limit" int)
  order by c.key on conflict do nothing;
  insert into run_slots (account_id, run_id, key, space, hold, state)
  select p_account, p_run, c.key, p_space, c.hold, 'free' from jsonb_to_recordset(keys) c(key text, hold text);
  if p_sets then
    insert into slot_signals (account_id, space, key, most, first_place)
    select p_account, p_space, c.key, c."limit", coalesce(first_place(p_account, p_space, c.key), clock_timestamp())
    from jsonb_to_recordset(keys) c(key text, "limit" int) order by c.key;
  end if;
end $$;

-- Queues a run for a slot of one of its keys, at the place given by the time since which it has been ready, and its
-- priority.
create or replace function line_up(p_run runs, p_key text) returns void language sql as $$
  update run_slots s set state = case when s.key = p_key then 'waiting' else 'free' end,
    place = case when s.key = p_key then p_run.queued_at - make_interval(mins => p_run.priority) end
  where s.account_id = p_run.account_id and s.run_id = p_run.id and s.state <> 'held'
$$;

-- Queues a run that is due for the slot of its first key, and signals that key.
create or replace function ask_for_slots(p_run runs) returns void language plpgsql as $$
declare
  first run_slots;
begin
  select * into first from run_slots s where s.account_id = p_run.account_id and s.run_id = p_run.id order by s.key limit 1;
  perform line_up(p_run, first.key);
  insert into slot_signals (account_id, space, key, first_place)
  values (first.account_id, first.space, first.key, p_run.queued_at - make_interval(mins => p_run.priority));
end $$;

-- Returns the place of the first run that waits for a slot of a key; null if none does.
create or replace function first_place(p_account uuid, p_space uuid, p_key text) returns timestamptz language sql as $$
  select s.place from run_slots s
  where s.account_id = p_account and s.space = p_space and s.key = p_key and s.state = 'waiting'
  order by s.place limit 1
$$;

-- Signals that a slot of a key is free.
create or replace function signal_free_slot(p_slot run_slots) returns void language sql as $$
  insert into slot_signals (account_id, space, key, first_place)
  values (p_slot.account_id, p_slot.space, p_slot.key,
    coalesce(first_place(p_slot.account_id, p_slot.space, p_slot.key), clock_timestamp()))
$$;

-- Frees slots of a run: all of them when it has ended, else those that it holds only while a worker executes it.
create or replace function free_slots(p_run runs, p_ended boolean) returns void language plpgsql as $$
begin
  perform signal_free_slot(s) from run_slots s
  where s.account_id = p_run.account_id and s.run_id = p_run.id and s.state in ('held', 'called') and (p_ended or s.hold = 'running')
  order by s.key;
  if p_ended then
    delete from run_slots s where s.account_id = p_run.account_id and s.run_id = p_run.id;
  else
    update run_slots s set state = 'free' where s.account_id = p_run.account_id and s.run_id = p_run.id and s.hold = 'running';
  end if;
end $$;

-- Takes the missing slots of all keys of a run; if a key has no free slot, takes none and queues the run for that key.
-- Returns `taken`, `waiting`, or `busy` if another session has locked a key.
create or replace function take_slots(p_run runs) returns text language plpgsql as $$
declare
  slot run_slots;
  most_held int;
  full_key text;
  run runs;
begin
  for slot in
    select * from run_slots s where s.account_id = p_run.account_id and s.run_id = p_run.id and s.state <> 'held' order by s.key
  loop
    select k.most into most_held from concurrency_keys k
    where k.account_id = slot.account_id and k.space = slot.space and k.key = slot.key for no key update skip locked;
    if not found then return 'busy'; end if;
    if count_slots(slot, 'held', most_held) >= most_held then
      full_key := slot.key;
      exit;
    end if;
  end loop;
  if full_key is null then
    update run_slots s set state = 'held', place = null
    where s.account_id = p_run.account_id and s.run_id = p_run.id and s.state <> 'held';
    return 'taken';
  end if;
  -- The slot for which this run was called is free for another run.
  perform signal_free_slot(s) from run_slots s
  where s.account_id = p_run.account_id and s.run_id = p_run.id and s.state = 'called' and s.key <> full_key;
  update runs r set ready_at = null, queued_at = coalesce(r.queued_at, r.ready_at)
  where r.account_id = p_run.account_id and r.id = p_run.id returning * into run;
  perform line_up(run, full_key);
  return 'waiting';
end $$;

-- Returns how many slots of the same key are in a state, counting up to `p_most`.
create or replace function count_slots(p_slot run_slots, p_state text, p_most int) returns int language sql as $$
  select count(*)::int from (
    select from run_slots s
    where s.account_id = p_slot.account_id and s.space = p_slot.space and s.key = p_slot.key and s.state = p_state
    limit p_most) counted
$$;

-- Processes signals of an account's keys, in the order of the runs that wait for them: for each key with a free slot, the
-- first waiting run becomes ready. A key with more free slots is signalled again. A claim takes one run, so no more than
-- two become ready.
create or replace function call_runs(p_account uuid) returns void language plpgsql as $$
declare
  signal slot_signals;
  ready int := 0;
begin
  for signal in
    select o.* from (
      select distinct on (f.space, f.key) f.* from (
        select * from slot_signals s where s.account_id = p_account order by s.first_place limit 16) f
      order by f.space, f.key, f.first_place) o
    order by o.first_place
  loop
    ready := ready + call_run(signal)::int;
    exit when ready = 2;
  end loop;
end $$;

-- Processes the signals of a key. Returns whether a run became ready.
drop function if exists call_run(slot_signals);
create or replace function call_run(p_signal slot_signals) returns boolean language plpgsql as $$
declare
  wanted run_slots;
  most_held int;
  newest int;
  room int;
  called int;
  next_place timestamptz;
  became_ready boolean := false;
begin
  select k.most into most_held from concurrency_keys k
  where k.account_id = p_signal.account_id and k.space = p_signal.space and k.key = p_signal.key for no key update skip locked;
  if not found then return false; end if;
  with seen as (
    delete from slot_signals s where (s.account_id, s.id) in (
      select o.account_id, o.id from slot_signals o
      where o.account_id = p_signal.account_id and o.space = p_signal.space and o.key = p_signal.key order by o.id limit 1000)
    returning s.id, s.most)
  select s.most into newest from seen s where s.most is not null order by s.id desc limit 1;
  update concurrency_keys k set most = coalesce(newest, k.most), used_at = clock_timestamp()
  where k.account_id = p_signal.account_id and k.space = p_signal.space and k.key = p_signal.key
    and (k.most <> newest or k.used_at < clock_timestamp() - interval '1 hour');
  most_held := coalesce(newest, most_held);
  -- The following queries see everything that was committed before the deleted signals.
  select * into wanted from run_slots s
  where s.account_id = p_signal.account_id and s.space = p_signal.space and s.key = p_signal.key and s.state = 'waiting'
  order by s.place, s.run_id limit 1;
  if not found then return false; end if;
  room := most_held - count_slots(wanted, 'held', most_held);
  if room <= 0 then return false; end if;
  called := count_slots(wanted, 'called', room + 1);
  -- A run with an earlier place overtakes the runs that were called: the last of them then finds no free slot.
  if called < room or wanted.place < (
    select min(s.place) from run_slots s
    where s.account_id = wanted.account_id and s.space = wanted.space and s.key = wanted.key and s.state = 'called')
  then
    perform from runs r where r.account_id = wanted.account_id and r.id = wanted.run_id for update skip locked;
    if found then
      -- The session that had locked the run may have ended it or queued it for another key.
      update run_slots s set state = 'called'
      where s.account_id = wanted.account_id and s.run_id = wanted.run_id and s.key = wanted.key and s.state = 'waiting';
      if found then
        update runs r set ready_at = coalesce(r.ready_at, clock_timestamp())
        where r.account_id = wanted.account_id and r.id = wanted.run_id and r.worker is null;
        became_ready := true;
      end if;
    end if;
  end if;
  if called + became_ready::int < room then
    next_place := first_place(wanted.account_id, wanted.space, wanted.key);
    insert into slot_signals (account_id, space, key, first_place)
    select wanted.account_id, wanted.space, wanted.key, next_place where next_place is not null;
  end if;
  return became_ready;
end $$;

-- Frees slots of runs that a worker of an older release has ended, and deletes keys that no run has used for a day.
create or replace function sweep_slots() returns void language sql as $$
  with ended as (
    delete from run_slots s using runs r
    where r.account_id = s.account_id and r.id = s.run_id and r.finished_at is not null
    returning s.account_id, s.space, s.key)
  insert into slot_signals (account_id, space, key, first_place)
  select e.account_id, e.space, e.key, coalesce(first_place(e.account_id, e.space, e.key), clock_timestamp()) from ended e;
  delete from concurrency_keys k where (k.account_id, k.space, k.key) in (
    select o.account_id, o.space, o.key from concurrency_keys o
    where o.used_at < now() - interval '1 day' and not exists (
      select from run_slots s where s.account_id = o.account_id and s.space = o.space and s.key = o.key)
    for update skip locked)
$$;
