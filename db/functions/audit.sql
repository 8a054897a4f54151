-- Returns the last event of each account's chain within a partition, by one index look-up per account.
create or replace function partition_heads(p_partition text) returns table (account_id uuid, sequence bigint, hash bytea)
language plpgsql stable set enable_seqscan = off set enable_sort = off as $$
begin
  return query execute format($query$
    with recursive heads as (
      (select c.account_id, c.sequence, c.hash from %1$I c order by c.account_id desc, c.sequence desc limit 1)
      union all
      select below.* from heads h cross join lateral (
        select c.account_id, c.sequence, c.hash from %1$I c where c.account_id < h.account_id
        order by c.account_id desc, c.sequence desc limit 1) below)
    select * from heads$query$, p_partition);
end $$;

create or replace function partition_end(p_partition text) returns timestamptz language sql immutable parallel safe as $$
  select (to_date(right(p_partition, 7), 'YYYY_MM') + interval '1 month') at time zone 'utc'
$$;

-- Returns whether a month can be archived: its requests' addresses and user agents are erased, and all its events chained.
create or replace function can_archive_month(p_partition text) returns boolean language sql stable as $$
  select exists (select from audit_erasure where until >= partition_end(p_partition))
    and not exists (select from audit_pending where id < uuid_floor(partition_end(p_partition)))
$$;

-- Drops a month if all its events are archived; returns whether they were.
create or replace function drop_archived_partition(p_partition text) returns boolean language plpgsql as $$
begin
  perform set_config('lock_timeout', '5s', true);
  -- Neither the sealer nor `ensure_partitions` can add events to the month meanwhile.
  perform pg_advisory_xact_lock(sealer_lock()), pg_advisory_xact_lock(7305482915);
  if exists (
    select from partition_heads(p_partition) p left join audit_heads h on h.account_id = p.account_id
    where h.account_id is null or p.sequence > greatest(h.archived_sequence, h.dropped_sequence)) then return false; end if;
  execute format('drop table %I', p_partition);
  return true;
end $$;

-- Deletes up to 1000 archives whose events are all older than this many whole months, with the usage of those months; the
-- sweep deletes their blobs. Returns how many.
create or replace function drop_old_archives(p_months int) returns int language plpgsql as $$
declare
  kept_from timestamptz := date_trunc('month', now() - make_interval(months => p_months), 'UTC');
  dropped int;
begin
  -- The sealer updates heads in another order.
  perform pg_advisory_xact_lock(sealer_lock());
  with old as (
    select a.account_id, a.first_sequence from audit_archives a where a.last_id < uuid_floor(kept_from)
    order by a.account_id, a.first_sequence limit 1000 for update skip locked
  ), gone as (
    delete from audit_archives a using old o where a.account_id = o.account_id and a.first_sequence = o.first_sequence
    returning a.account_id, a.last_sequence, a.blob_key
  ), loosened as (
    insert into loose_blobs (key, due_at) select blob_key, clock_timestamp() from gone
  ), moved as (
    update audit_heads h set dropped_sequence = greatest(h.dropped_sequence, g.last_sequence)
    from (select account_id, max(last_sequence) as last_sequence from gone group by account_id) g
    where h.account_id = g.account_id
    returning h.account_id, h.dropped_sequence
  ), unsigned as (
    delete from audit_signed_heads s using moved m where s.account_id = m.account_id and s.sequence < m.dropped_sequence
  )
  select count(*) into dropped from gone;
  if dropped > 0 then perform drop_usage(kept_from); end if;
  return dropped;
end $$;

-- Drops a partition and the usage of its time. Each chain then begins after its last dropped event, whose head must
-- have been signed.
create or replace function drop_audit_partition(p_partition text) returns void language plpgsql as $$
begin
  perform set_config('lock_timeout', '5s', true);
  update audit_heads h set dropped_sequence = greatest(h.dropped_sequence, p.sequence)
  from partition_heads(p_partition) p where h.account_id = p.account_id;
  delete from audit_signed_heads s using audit_heads h where h.account_id = s.account_id and s.sequence < h.dropped_sequence;
  perform drop_usage(partition_end(p_partition));
  execute format('drop table %I', p_partition);
end $$;

-- Erases personal fields of chained events: the digests that an event's hash covers stay, without their salts.
-- Label 1–16, ip 17–32, user agent 33–48, end user 49–64: the places of the salts.
create or replace function erased_digest(p_salt bytea, p_from int, p_value text) returns bytea language sql immutable parallel safe as $$
  select sha256(substring(p_salt from p_from for 16) || convert_to(p_value, 'UTF8'))
$$;

create or replace function without_salt(p_salt bytea, p_from int, p_length int) returns bytea language sql immutable parallel safe as $$
  select overlay(p_salt placing decode(repeat('00', p_length), 'hex') from p_from)
$$;

-- Erases the addresses and user agents of the requests of one more hour that lies before `p_before`. False: none is left.
create or replace function erase_request_details(p_before timestamptz) returns boolean language plpgsql as $$
declare
  since timestamptz;
begin
  insert into audit_erasure (until) select hour_of(min(at)) from audit_chain having min(at) is not null on conflict do nothing;
  select until into since from audit_erasure for update;
  if since is null or since + interval '1 hour' > p_before then return false; end if;
  update audit_chain c set
    ip = null, ip_digest = coalesce(erased_digest(c.salt, 17, c.ip), c.ip_digest),
    user_agent = null, user_agent_digest = coalesce(erased_digest(c.salt, 33, c.user_agent), c.user_agent_digest),
    salt = without_salt(c.salt, 17, 32)
  where c.id >= uuid_floor(since) and c.id < uuid_floor(since + interval '1 hour') and (c.ip is not null or c.user_agent is not null);
  update audit_erasure set until = since + interval '1 hour';
  return true;
end $$;

-- Erases who an end user of the customer's was; the events that name them show nobody.
create or replace function erase_end_user(p_account uuid, p_end_user uuid) returns void language plpgsql as $$
begin
  -- The sealer reads the name that it hashes: it must not be half-way.
  perform pg_advisory_xact_lock(sealer_lock());
  update audit_chain c set end_user_digest = erased_digest(c.salt, 49, u.external_id), salt = without_salt(c.salt, 49, 16)
  from end_users u
  where u.account_id = p_account and u.id = p_end_user and u.external_id is not null
    and c.account_id = p_account and c.end_user_id = p_end_user;
  update end_users set external_id = null where account_id = p_account and id = p_end_user;
  delete from audit_person_keys where account_id = p_account and person_id = p_end_user;
end $$;

-- Erases who an actor was: the label, and the addresses and user agents of the requests. False: there are none.
create or replace function erase_actor(p_account uuid, p_actor uuid) returns boolean language plpgsql as $$
declare
  pending bigint;
  chained bigint;
  archived bigint;
begin
  perform pg_advisory_xact_lock(sealer_lock());
  update audit_pending set actor_label = null, ip = null, user_agent = null where account_id = p_account and actor_id = p_actor;
  get diagnostics pending = row_count;
  update audit_chain c set
    actor_label = null, actor_label_digest = coalesce(erased_digest(c.salt, 1, c.actor_label), c.actor_label_digest),
    ip = null, ip_digest = coalesce(erased_digest(c.salt, 17, c.ip), c.ip_digest),
    user_agent = null, user_agent_digest = coalesce(erased_digest(c.salt, 33, c.user_agent), c.user_agent_digest),
    salt = without_salt(c.salt, 1, 48)
  where c.account_id = p_account and c.actor_id = p_actor;
  get diagnostics chained = row_count;
  delete from audit_person_keys where account_id = p_account and person_id = p_actor;
  get diagnostics archived = row_count;
  return pending + chained + archived > 0;
end $$;

-- Erases who acted in a deleted account, in the next `p_limit` of its chained events after one: labels, addresses, user
-- agents and end users. Returns the last of them; null: there are none. It may be repeated. Nobody else changes chained
-- events but to erase more of them, so the sealer goes on.
create or replace function erase_people(p_account uuid, p_after uuid, p_limit int) returns uuid language plpgsql as $$
declare
  last uuid;
begin
  select e.id into last from (
    select c.id from audit_chain c where c.account_id = p_account and c.id > p_after order by c.id limit p_limit) e
  order by e.id desc limit 1;
  update audit_chain c set
    actor_label = null, actor_label_digest = coalesce(c.actor_label_digest, erased_digest(c.salt, 1, c.actor_label)),
    ip = null, ip_digest = coalesce(c.ip_digest, erased_digest(c.salt, 17, c.ip)),
    user_agent = null, user_agent_digest = coalesce(c.user_agent_digest, erased_digest(c.salt, 33, c.user_agent)),
    end_user_digest = coalesce(c.end_user_digest, erased_digest(c.salt, 49, (
      select u.external_id from end_users u where u.account_id = c.account_id and u.id = c.end_user_id))),
    salt = without_salt(c.salt, 1, 64)
  where c.account_id = p_account and c.id > p_after and c.id <= last and c.salt <> without_salt(c.salt, 1, 64);
  return last;
end $$;
