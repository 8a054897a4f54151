-- Inserts audit events, which the sealer then chains: [{ …columns of audit_pending by their public names }].
create or replace function record_events(p_events jsonb) returns void language sql as $$
  insert into audit_pending (account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource,
    outcome, status, error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits,
    secret_version, refusal, replay_of)
  select "accountId", id, at, "actorType", "actorId", "actorLabel", operation, selector, counted, resource,
    outcome, status, "errorCode", "requestId", "projectId", "endUserId", ip, "userAgent", "durationMs", "chargedCredits",
    "secretVersion", nullif(refusal, 'null'), "replayOf"
  from jsonb_to_recordset(p_events) as e(
    "accountId" uuid, id uuid, at timestamptz, "actorType" text, "actorId" uuid, "actorLabel" text, operation text,
    selector text, counted boolean, resource text, outcome text, status int, "errorCode" text, "requestId" text,
    "projectId" uuid, "endUserId" uuid, ip text, "userAgent" text, "durationMs" int, "chargedCredits" bigint,
    "secretVersion" int, refusal jsonb, "replayOf" text)
$$;

-- Records charges of earlier requests. The requester may have been deleted.
create or replace function record_settlements(p_events jsonb) returns void language sql as $$
  select record_events(jsonb_agg(e || jsonb_build_object('actorLabel',
    coalesce(label_of((e->>'accountId')::uuid, e->>'actorType', (e->>'actorId')::uuid), ''))))
  from jsonb_array_elements(p_events) e having count(*) > 0
$$;

-- Records the end of a batch of requests: audit events, keys' last use, leases. `p_durable` waits for the disk, also
-- for everything committed before; the message makes the commit wait if nothing else is written. Returns the indexes
-- (from 0) of those in `p_unflushed`, [{ account, caller, key }], whose stored response is gone: it was committed
-- without waiting for the disk, and the database lost it in a crash.
create or replace function settle(p_events jsonb, p_used jsonb, p_leases uuid[], p_durable boolean, p_unflushed jsonb)
  returns jsonb language plpgsql as $$
declare
  gone jsonb := '[]';
begin
  if p_durable then perform pg_logical_emit_message(true, 'settle', '');
  else perform set_config('synchronous_commit', 'off', true); end if;
  if jsonb_array_length(p_events) > 0 then perform record_events(p_events); end if;
  perform from api_keys k join jsonb_to_recordset(p_used) as u("accountId" uuid, "keyId" uuid) on k.account_id = u."accountId" and k.id = u."keyId"
  order by k.id for update of k;
  update api_keys k set last_used_at = u.at
  from jsonb_to_recordset(p_used) as u("accountId" uuid, "keyId" uuid, at timestamptz)
  where k.account_id = u."accountId" and k.id = u."keyId" and (k.last_used_at is null or k.last_used_at < u.at);
  if cardinality(p_leases) > 0 then perform release_leases(p_leases); end if;
  if jsonb_array_length(p_unflushed) > 0 then
    -- `offset 0` looks each row up by its key. As a join, they were compared with the whole table while it was small at the
    -- time of planning.
    select coalesce(jsonb_agg(u.place - 1), '[]') into gone
    from rows from (jsonb_to_recordset(p_unflushed) as (account uuid, caller uuid, key text)) with ordinality as u(account, caller, key, place)
    where not exists (select from idempotency_records r
      where r.account_id = u.account and r.caller_id = u.caller and r.key = u.key and r.state = 'done' offset 0);
  end if;
  return gone;
end $$;

-- For processes of the previous version.
create or replace function settle(p_events jsonb, p_used jsonb, p_leases uuid[], p_durable boolean) returns void language sql as $$
  select settle(p_events, p_used, p_leases, p_durable, '[]')
$$;
