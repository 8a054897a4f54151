create or replace function hour_of(p_at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_trunc('hour', p_at, 'UTC')
$$;

create or replace function or_nil(p_id uuid) returns uuid language sql immutable parallel safe as $$
  select coalesce(p_id, '00000000-0000-0000-0000-000000000000')
$$;

-- Returns whether a status counts as an error: refused or failed, except by a limit, which is counted separately.
create or replace function is_error(p_status int) returns boolean language sql immutable parallel safe as $$
  select p_status >= 400 and p_status <> 429
$$;

-- Returns whether usage counts an event: requests, and charged actions of the platform itself. The use of a connection is
-- part of a request.
create or replace function is_used(p_operation text, p_actor uuid, p_charged bigint) returns boolean language sql immutable parallel safe as $$
  select p_operation <> 'connections.use' and (p_actor is not null or p_charged <> 0)
$$;

-- Returns whether an event is a request: the charge for one that was answered earlier is none.
create or replace function is_request(p_operation text) returns boolean language sql immutable parallel safe as $$
  select p_operation not like '%.settle'
$$;

-- The lock that lets one sealer work at a time, and no erasure beside it.
create or replace function sealer_lock() returns bigint language sql immutable parallel safe as $$ select 7305482914 $$;

-- True if any event waits to be chained.
create or replace function has_pending() returns boolean language plpgsql stable set enable_seqscan = off as $$
begin
  return exists (select from audit_pending);
end $$;

-- Returns events that wait to be chained, from a place in their order on, and the heads of their accounts' chains; nulls
-- while another sealer is active. Locks the events until the transaction ends: the caller hashes them and calls
-- `seal_events`. Always uses the index: a plan made while the table was empty would read all pages that it once had.
create or replace function take_pending(p_after_account uuid, p_after_id uuid, p_limit int, out events json, out heads json) language plpgsql
set enable_seqscan = off set enable_sort = off as $$
begin
  if not pg_try_advisory_xact_lock(sealer_lock()) then return; end if;
  with batch as (
    select p.account_id as "accountId", p.id, p.at, p.actor_type as "actorType", p.actor_id as "actorId",
      p.actor_label as "actorLabel", p.operation, p.resource, p.outcome, p.status, p.error_code as "errorCode",
      p.request_id as "requestId", p.project_id as "projectId", u.external_id as "endUser", p.ip,
      p.user_agent as "userAgent", p.duration_ms as "durationMs", p.charged_credits as "chargedCredits",
      p.secret_version as "secretVersion"
    from audit_pending p
    left join end_users u on u.account_id = p.account_id and u.id = p.end_user_id
    where (p.account_id, p.id) > (p_after_account, p_after_id) and p.account_id <> all((select fenced_ids())::uuid[])
    order by p.account_id, p.id
    limit p_limit)
  select json_agg(b), (
    select json_object_agg(h.account_id, json_build_object('sequence', h.sequence, 'hash', encode(h.hash, 'hex')))
    from audit_heads h where h.account_id in (select "accountId" from batch))
  into events, heads
  from batch b;
end $$;

-- Moves events into their accounts' chains and adds them to the usage. The n-th event's salts, previous hash and hash
-- are the n-th 64, 32 and 32 bytes of the last three parameters.
create or replace function seal_events(
  p_accounts uuid[], p_ids uuid[], p_sequences bigint[], p_salts bytea, p_previous bytea, p_hashes bytea
) returns void language sql set enable_seqscan = off as $$
  with sealed as (
    select s.account_id, s.id, s.sequence, substring(p_salts from (s.n * 64 - 63)::int for 64) as salt,
      substring(p_previous from (s.n * 32 - 31)::int for 32) as previous_hash,
      substring(p_hashes from (s.n * 32 - 31)::int for 32) as hash
    from unnest(p_accounts, p_ids, p_sequences) with ordinality s(account_id, id, sequence, n)
  ), moved as (
    delete from audit_pending p using sealed s where p.account_id = s.account_id and p.id = s.id
    returning p.*, s.salt, s.sequence, s.previous_hash, s.hash
  ), chained as (
    insert into audit_chain (account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted,
      resource, outcome, status, error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms,
      charged_credits, secret_version, refusal, replay_of, salt, sequence, previous_hash, hash)
    select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted,
      resource, outcome, status, error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms,
      charged_credits, secret_version, refusal, replay_of, salt, sequence, previous_hash, hash
    from moved
  ), counted as (
    insert into usage_status_hours as u (account_id, hour, operation, selector, actor_id, project_id, end_user_id, status, actor_type,
      requests, errors, limited, charged_credits, histogram)
    select account_id, hour_of(at), operation, selector, or_nil(actor_id), or_nil(project_id),
      or_nil(end_user_id), status, min(actor_type), count(*) filter (where is_request(operation)), count(*) filter (where is_error(status)),
      count(*) filter (where status = 429), sum(charged_credits), duration_histogram(duration_ms) filter (where is_request(operation))
    from moved
    where is_used(operation, actor_id, charged_credits)
    group by account_id, hour_of(at), operation, selector, or_nil(actor_id), or_nil(project_id), or_nil(end_user_id),
      status
    on conflict (account_id, hour, operation, selector, actor_id, project_id, end_user_id, status) do update
    set requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
      limited = u.limited + excluded.limited, charged_credits = u.charged_credits + excluded.charged_credits,
      histogram = add_histograms(u.histogram, excluded.histogram)
  )
  insert into audit_heads as h (account_id, sequence, hash)
  select distinct on (account_id) account_id, sequence, hash from sealed order by account_id, sequence desc
  on conflict (account_id) do update set sequence = excluded.sequence, hash = excluded.hash
$$;
