-- Writes audit events, which the sealer then chains: [{ …columns of audit_pending by their wire names }].
create or replace function record_events(p_events jsonb) returns void language sql as $$
  insert into audit_pending (account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource,
    outcome, status, error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits,
    secret_version)
  select "accountId", id, at, "actorType", "actorId", "actorLabel", operation, selector, counted, resource,
    outcome, status, "errorCode", "requestId", "projectId", "endUserId", ip, "userAgent", "durationMs", "chargedCredits",
    "secretVersion"
  from jsonb_to_recordset(p_events) as e(
    "accountId" uuid, id uuid, at timestamptz, "actorType" text, "actorId" uuid, "actorLabel" text, operation text,
    selector text, counted boolean, resource text, outcome text, status int, "errorCode" text, "requestId" text,
    "projectId" uuid, "endUserId" uuid, ip text, "userAgent" text, "durationMs" int, "chargedCredits" bigint,
    "secretVersion" int)
$$;

-- The end of a batch of requests: their audit events, their keys' last use, their leases. `p_durable` waits for the disk, for
-- all that was committed before too; the message is what there is to wait for where nothing else is written.
drop function if exists settle(jsonb, jsonb, uuid[]);
create or replace function settle(p_events jsonb, p_used jsonb, p_leases uuid[], p_durable boolean) returns void language plpgsql as $$
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
end $$;
