-- The end of each account's chain within a partition.
create or replace function partition_heads(p_partition text) returns table (account_id uuid, sequence bigint, hash bytea)
language plpgsql stable as $$
begin
  return query execute format(
    'select distinct on (account_id) account_id, sequence, hash from %I order by account_id, sequence desc', p_partition);
end $$;

-- Drops a partition and the usage of its time. What is kept of a chain begins after the last event that went with it; the
-- heads there must have been signed.
create or replace function drop_audit_partition(p_partition text) returns void language plpgsql as $$
begin
  perform set_config('lock_timeout', '5s', true);
  update audit_heads h set dropped_sequence = greatest(h.dropped_sequence, p.sequence)
  from partition_heads(p_partition) p where h.account_id = p.account_id;
  delete from audit_signed_heads s using audit_heads h where h.account_id = s.account_id and s.sequence < h.dropped_sequence;
  delete from usage_hours u where u.hour < (to_date(right(p_partition, 7), 'YYYY_MM') + interval '1 month') at time zone 'utc';
  execute format('drop table %I', p_partition);
end $$;

-- Takes personal fields out of chained events: what an event's hash was made over stays as digests, whose salts go too.
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
end $$;

-- Erases who an actor was: the label, and the addresses and user agents of the requests. False: there are none.
create or replace function erase_actor(p_account uuid, p_actor uuid) returns boolean language plpgsql as $$
declare
  pending bigint;
  chained bigint;
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
  return pending + chained > 0;
end $$;
