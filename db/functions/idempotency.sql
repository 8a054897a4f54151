-- Claims an idempotency key for `p_owner`, or returns its state: `claimed`, `done` (with the response), `running`, or
-- `mismatch`. A claim with an expired lease belongs to a call that never committed: it is taken over, and keeps that
-- call's effect id and time. `orphaned`: the process of a running call is another one and holds no liveness lock;
-- with `p_orphaned` such a claim is taken over, too. Only a claim for an outside effect, `p_durable`, waits for the
-- disk: a crash loses other claims only together with their effects, whose commits follow in the log.
drop function if exists claim_idempotency(uuid, uuid, text, bytea, uuid, int);
drop function if exists claim_idempotency(uuid, uuid, text, bytea, uuid, int, boolean);
create or replace function claim_idempotency(
  p_account uuid, p_caller uuid, p_key text, p_fingerprint bytea, p_owner uuid, p_lease_seconds int, p_durable boolean,
  p_process text, p_orphaned boolean,
  out verdict text, out status int, out headers jsonb, out body bytea, out effect uuid, out orphaned boolean
) language plpgsql as $$
declare
  record idempotency_records;
begin
  if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
  loop
    insert into idempotency_records as r (account_id, caller_id, key, fingerprint, state, owner, process, lease_until, expires_at)
    values (p_account, p_caller, p_key, p_fingerprint, 'running', p_owner, p_process,
      clock_timestamp() + make_interval(secs => p_lease_seconds), clock_timestamp() + interval '24 hours')
    on conflict (account_id, caller_id, key) do update
      set owner = excluded.owner, process = excluded.process, lease_until = excluded.lease_until, fingerprint = excluded.fingerprint, state = 'running',
        effect_id = case when r.expires_at >= clock_timestamp() and r.fingerprint = excluded.fingerprint then r.effect_id else excluded.effect_id end,
        expires_at = case when r.expires_at >= clock_timestamp() and r.fingerprint = excluded.fingerprint then r.expires_at else excluded.expires_at end,
        status = null, headers = null, body = null
      where r.expires_at < clock_timestamp()
        or (r.state = 'running' and (r.fingerprint = excluded.fingerprint or r.lease_until = '-infinity')
          and (r.lease_until < clock_timestamp() or (p_orphaned and r.process <> p_process and not process_lives(r.process))))
    returning r.effect_id into effect;
    if found then verdict := 'claimed'; return; end if;
    select * into record from idempotency_records r where r.account_id = p_account and r.caller_id = p_caller and r.key = p_key;
    continue when not found;
    verdict := case when record.fingerprint <> p_fingerprint then 'mismatch' else record.state end;
    status := record.status;
    headers := record.headers;
    body := record.body;
    orphaned := verdict = 'running' and record.process <> p_process and not process_lives(record.process);
    return;
  end loop;
end $$;

-- Returns whether the owner still has the claim; it then keeps it until the end of the transaction.
create or replace function lock_claim(p_account uuid, p_caller uuid, p_key text, p_owner uuid) returns boolean language plpgsql as $$
begin
  perform from idempotency_records r
  where r.account_id = p_account and r.caller_id = p_caller and r.key = p_key and r.owner = p_owner and r.state = 'running'
  for share;
  return found;
end $$;

-- Releases claims of failed calls: `[{ account, caller, key, owner, left }]`. left is `nothing`; `failure`: the key
-- is free, but keeps its effect id; or `doubt`: only the same call may continue. Returns the owners of the claims that no
-- other call had taken over.
drop function if exists release_claims(jsonb);
create or replace function release_claims(p_claims jsonb) returns setof uuid language plpgsql as $$
begin
  return query
  delete from idempotency_records r using jsonb_to_recordset(p_claims) c(account uuid, caller uuid, key text, owner uuid, "left" text)
  where r.account_id = c.account and r.caller_id = c.caller and r.key = c.key and r.owner = c.owner and r.state = 'running'
    and c."left" = 'nothing' and r.account_id <> all((select fenced_ids())::uuid[])
  returning c.owner;
  return query
  update idempotency_records r set lease_until = case when c."left" = 'doubt' then clock_timestamp() else '-infinity' end
  from jsonb_to_recordset(p_claims) c(account uuid, caller uuid, key text, owner uuid, "left" text)
  where r.account_id = c.account and r.caller_id = c.caller and r.key = c.key and r.owner = c.owner and r.state = 'running'
    and r.account_id <> all((select fenced_ids())::uuid[])
  returning c.owner;
end $$;

-- Ends a call in its effect's transaction: stores its response for replays and its audit events. A call without a
-- claim passes its fingerprint. False: the claim was lost, or another call was first.
drop function if exists finish_call(uuid, uuid, text, uuid, int, jsonb, bytea, int, jsonb);
create or replace function finish_call(
  p_account uuid, p_caller uuid, p_key text, p_unclaimed bytea, p_owner uuid, p_status int, p_headers jsonb, p_body bytea,
  p_keep_hours int, p_events jsonb
) returns boolean language plpgsql as $$
declare
  kept_until timestamptz := clock_timestamp() + make_interval(hours => p_keep_hours);
begin
  if p_unclaimed is null then
    update idempotency_records r set state = 'done', status = p_status, headers = p_headers, body = p_body, expires_at = kept_until
    where r.account_id = p_account and r.caller_id = p_caller and r.key = p_key and r.owner = p_owner and r.state = 'running';
  else
    insert into idempotency_records (account_id, caller_id, key, fingerprint, state, owner, lease_until, expires_at, status, headers, body)
    values (p_account, p_caller, p_key, p_unclaimed, 'done', p_owner, clock_timestamp(), kept_until, p_status, p_headers, p_body)
    on conflict do nothing;
  end if;
  if not found then return false; end if;
  perform record_events(p_events);
  return true;
end $$;
