-- Whether an account's events are kept: not where its webhooks are all switched off; one that its endpoint's failure ended
-- may come back and ask for what it missed.
create or replace function wants_events(p_account uuid) returns boolean language sql stable as $$
  select exists (select from webhooks w where w.account_id = p_account
    and (w.status <> 'disabled' or w.disabled_reason in ('failing', 'gone') and w.disabled_at > now() - interval '30 days'))
$$;

-- Puts an event into the outbox, with the next number of the thing that it is about between the two parts of its payload.
-- Answers whether the event was kept.
create or replace function emit_event(
  p_account uuid, p_id uuid, p_type text, p_scope text, p_service text, p_key uuid, p_account_wide boolean, p_project uuid,
  p_end_user uuid, p_resource text, p_head text, p_tail text
) returns boolean language plpgsql as $$
declare
  number bigint;
begin
  if not wants_events(p_account) then return false; end if;
  insert into event_sequences as s (account_id, resource, sequence) values (p_account, p_resource, 1)
  on conflict (account_id, resource) do update set sequence = s.sequence + 1
  returning s.sequence into number;
  insert into outbox (account_id, id, type, scope, service_id, key_id, account_wide, project_id, end_user_id, payload)
  values (p_account, p_id, p_type, p_scope, p_service, p_key, p_account_wide, p_project, p_end_user, p_head || number || p_tail);
  return true;
end $$;

-- Whether what a webhook asks for covers an event.
create or replace function event_matches(p_patterns text[], p_type text) returns boolean language sql immutable parallel safe as $$
  select exists (select from unnest(p_patterns) pattern
    where pattern = '*' or pattern = p_type or (right(pattern, 2) = '.*' and starts_with(p_type, left(pattern, -1))))
$$;

-- Whether a key could read, now, what an event is about: the key and all above it live, have the scope and reach the
-- service; it is not bound elsewhere; and where the event is one key's own, it is that key or above it.
create or replace function key_reads(
  p_account uuid, p_owner uuid, p_scope text, p_service text, p_key uuid, p_account_wide boolean, p_project uuid, p_end_user uuid
) returns boolean language sql stable as $$
  select not exists (
    select from api_keys a where a.account_id = p_account and a.id = any(o.chain) and (
      a.revoked_at is not null or key_expiry(a.expires_at, a.last_used_at) <= now()
      or p_scope <> all(a.scopes) or p_service <> all(a.allowed_services)))
    and (o.project_id is null or p_account_wide or o.project_id is not distinct from p_project)
    and (o.end_user_id is null or p_account_wide or o.end_user_id is not distinct from p_end_user)
    and (p_key is null or exists (
      select from api_keys k where k.account_id = p_account and k.id = p_key and k.chain @> array[p_owner]))
  from api_keys o where o.account_id = p_account and o.id = p_owner
$$;

-- Whether a webhook gets an event: it asks for it, is not narrowed to something else, and its owner could read it.
create or replace function webhook_gets(w webhooks, e outbox) returns boolean language sql stable as $$
  select event_matches(w.events, e.type) and e.type <> 'webhook.test'
    and (w.project_id is null or w.project_id is not distinct from e.project_id or (e.account_wide and w.owner_key_id is not null))
    and (w.end_user_id is null or w.end_user_id is not distinct from e.end_user_id or (e.account_wide and w.owner_key_id is not null))
    and (w.owner_key_id is null
      or coalesce(key_reads(e.account_id, w.owner_key_id, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id), false))
$$;

-- Moves up to so many events from the outbox to where they are kept, and queues a delivery for each webhook that gets
-- them. Several relays take different events. Answers how many were moved and how many deliveries came of them.
create or replace function fan_out_events(p_limit int, out moved int, out queued int) language plpgsql as $$
declare
  batch outbox[];
begin
  with removed as (
    delete from outbox o using (select x.account_id, x.id from outbox x order by x.id limit p_limit for update skip locked) t
    where o.account_id = t.account_id and o.id = t.id returning o.*)
  select array_agg(t::outbox order by t.id) into batch from removed t;
  moved := coalesce(cardinality(batch), 0);
  queued := 0;
  if moved = 0 then return; end if;
  insert into webhook_events (account_id, id, type, scope, service_id, key_id, account_wide, project_id, end_user_id, payload)
  select e.account_id, e.id, e.type, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id, e.payload
  from unnest(batch) e;
  insert into webhook_queue (account_id, id, webhook_id, event_id, event, project_id, end_user_id, due_at)
  select e.account_id, uuidv7(), w.id, e.id, e.type, w.project_id, w.end_user_id, now()
  from unnest(batch) e, webhooks w
  where w.account_id = e.account_id and w.status = 'active' and webhook_gets(w, e);
  get diagnostics queued = row_count;
end $$;
