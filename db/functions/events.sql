-- Returns whether an account's events are stored. They are if it has a webhook that was not switched off by a person
-- (one disabled because its endpoint failed may return within 30 days and ask for missed events), a stream that
-- follows them, a run that waits for them, or a trigger on them.
create or replace function wants_events(p_account uuid) returns boolean language sql stable as $$
  select exists (select from webhooks w where w.account_id = p_account
    and (w.status <> 'disabled' or w.disabled_reason in ('failing', 'gone') and w.disabled_at > now() - interval '30 days'))
    or exists (select from event_listeners l where l.account_id = p_account and l.until > now())
    or exists (select from runs r where r.account_id = p_account and r.keeps_events and r.finished_at is null)
    or exists (select from triggers t where t.account_id = p_account and t.of_platform)
$$;

-- Makes an account's events be stored for streams for another hour. Returns the newest event's position, and the
-- position after which none is missing: a new one if no stream came for so long that events were not stored.
create or replace function listen_to_events(p_account uuid, out newest bigint, out since bigint) language sql as $$
  insert into event_listeners as l (account_id, position, since, until) values (p_account, 0, 0, now() + interval '65 minutes')
  on conflict (account_id) do update set
    position = l.position + case when l.until > now() then 0 else 1 end,
    since = case when l.until > now() then l.since else l.position + 1 end,
    until = now() + interval '65 minutes'
  returning l.position, l.since
$$;

-- Inserts an event into the outbox, with the resource's next event number between the two parts of its payload.
-- `p_run` is the run that caused it. Returns whether the event was stored.
drop function if exists emit_event(uuid, uuid, text, text, text, uuid, boolean, uuid, uuid, text, text, text);
create or replace function emit_event(
  p_account uuid, p_id uuid, p_type text, p_scope text, p_service text, p_key uuid, p_account_wide boolean, p_project uuid,
  p_end_user uuid, p_resource text, p_head text, p_tail text, p_run uuid default null
) returns boolean language plpgsql as $$
declare
  number bigint;
begin
  if not wants_events(p_account) then return false; end if;
  insert into event_sequences as s (account_id, resource, sequence) values (p_account, p_resource, 1)
  on conflict (account_id, resource) do update set sequence = s.sequence + 1
  returning s.sequence into number;
  insert into outbox (account_id, id, type, scope, service_id, key_id, account_wide, project_id, end_user_id, payload, depth)
  values (p_account, p_id, p_type, p_scope, p_service, p_key, p_account_wide, p_project, p_end_user, p_head || number || p_tail,
    run_depth_after(p_account, p_run));
  return true;
end $$;

-- Returns whether patterns (`*`, a name, or a group such as `run.*`) match an event.
create or replace function event_matches(p_patterns text[], p_type text) returns boolean language sql immutable parallel safe as $$
  select exists (select from unnest(p_patterns) pattern
    where pattern = '*' or pattern = p_type or (right(pattern, 2) = '.*' and starts_with(p_type, left(pattern, -1))))
$$;

-- Returns whether a key may now read an event's resource: the key and its ancestors are active, have the scope and
-- may use the service; the key is not bound to another project or end user; and an event for one key is for this key
-- or a descendant. The managed database belongs to the account: a key bound to a part of the account does not read it.
create or replace function key_reads(
  p_account uuid, p_owner uuid, p_scope text, p_service text, p_key uuid, p_account_wide boolean, p_project uuid, p_end_user uuid
) returns boolean language sql stable as $$
  select not exists (
    select from api_keys a where a.account_id = p_account and a.id = any(o.chain) and (
      a.revoked_at is not null or key_expiry(a.expires_at, a.last_used_at) <= now()
      or p_scope <> all(a.scopes) or p_service <> all(a.allowed_services)))
    and (o.project_id is null or o.project_id is not distinct from p_project or (p_account_wide and p_service is distinct from 'managed-database'))
    and (o.end_user_id is null or o.end_user_id is not distinct from p_end_user or (p_account_wide and p_service is distinct from 'managed-database'))
    and (p_key is null or exists (
      select from api_keys k where k.account_id = p_account and k.id = p_key and k.chain @> array[p_owner]))
  from api_keys o where o.account_id = p_account and o.id = p_owner
$$;

-- Returns whether a webhook receives an event: it subscribes to it, its restrictions match, its owner may read it, and
-- so may the member who chose its address.
create or replace function webhook_gets(w webhooks, e outbox) returns boolean language sql stable as $$
  select event_matches(w.events, e.type) and e.type <> 'webhook.test'
    and (w.member_role is null or role_has(w.member_role, e.scope))
    and (w.project_id is null or w.project_id is not distinct from e.project_id or (e.account_wide and w.owner_key_id is not null))
    and (w.end_user_id is null or w.end_user_id is not distinct from e.end_user_id or (e.account_wide and w.owner_key_id is not null))
    and (w.owner_key_id is null
      or coalesce(key_reads(e.account_id, w.owner_key_id, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id), false))
$$;

-- Returns an event's payload for filters. Escapes that JSON allows and jsonb does not (NUL, lone surrogates) are
-- replaced; a payload that still is not valid jsonb gives null, so that it does not block the relay.
create or replace function body_of(p_payload text) returns jsonb language plpgsql immutable as $$
begin
  return p_payload::jsonb;
exception when others then
  begin
    return regexp_replace(p_payload, '\\u(0000|d[89a-f][0-9a-f]{2})', '\ufffd', 'g')::jsonb;
  exception when others then
    return null;
  end;
end $$;

-- Returns an account's next events after a position, for a stream of a key that follows these types within a project
-- or an end user; limited in number and approximate bytes. Events that the key may not read, or did not ask for, have
-- no payload.
create or replace function next_events(
  p_account uuid, p_key uuid, p_types text[], p_project uuid, p_end_user uuid, p_position bigint, p_limit int, p_bytes int
) returns table ("position" bigint, id uuid, type text, payload text) language sql stable as $$
  select s.position, s.id, s.type, case when s.gets then s.payload end
  from (
    select r.*, row_number() over w as nth, sum(case when r.gets then octet_length(r.payload) else 0 end) over w as bytes
    from (
      select e.*, event_matches(p_types, e.type)
          and (p_project is null or p_project is not distinct from e.project_id or e.account_wide)
          and (p_end_user is null or p_end_user is not distinct from e.end_user_id or e.account_wide)
          and coalesce(key_reads(p_account, p_key, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id), false) as gets
      from webhook_events e where e.account_id = p_account and e.position > p_position order by e.position limit p_limit) r
    window w as (order by r.position)) s
  where s.nth = 1 or s.bytes <= p_bytes
  order by s.position
$$;

-- Moves up to the given number of events from the outbox to the stored events, and queues a delivery for each webhook
-- that receives them. Concurrent relays take different events. If streams follow an account's events, each gets the
-- next position: the listener's row is locked until the commit, so that positions become visible in order. Returns
-- the number of events, of deliveries, the accounts that are followed, and whether there may be more events.
-- Events whose comparison with the waits of runs is too much work for one call stay for the next one: an account's oldest
-- are taken first, and those of all accounts in turn.
drop function if exists fan_out_events(int);
create function fan_out_events(
  p_limit int, out moved int, out queued int, out followed uuid[], out resumed int, out more boolean
) language plpgsql as $$
declare
  maximum_load constant int := 25000;
  batch outbox[];
  seen int;
begin
  with oldest as materialized (
    select x.account_id, x.id, x.type from outbox x where x.account_id <> all((select fenced_ids())::uuid[]) order by x.id limit p_limit for update skip locked),
  loads as (
    select w.account_id, w.name, sum(wait_load(w.conditions)) as load
    from (select distinct x.account_id, x.type from oldest x) x
    join event_waits w on w.account_id = x.account_id and w.name = x.type and w.event_id is null and w.of_platform
    group by 1, 2),
  turns as (
    select x.account_id, x.id, coalesce(l.load, 0) as load, sum(l.load) over (partition by x.account_id) as account_load,
      row_number() over (partition by x.account_id order by x.id) as turn
    from oldest x left join loads l on l.account_id = x.account_id and l.name = x.type),
  sums as (
    select t.account_id, t.id, t.account_load, sum(t.load) over (order by t.turn, t.id) - t.load as load_before from turns t),
  removed as (
    delete from outbox o using sums s
    where o.account_id = s.account_id and o.id = s.id and (s.account_load is null or s.load_before < maximum_load) returning o.*)
  select array_agg(t::outbox order by t.id), (select count(*) from oldest) into batch, seen from removed t;
  moved := coalesce(cardinality(batch), 0);
  more := seen = p_limit or moved < seen;
  queued := 0;
  resumed := 0;
  if moved = 0 then return; end if;
  select array_agg(l.account_id) into followed from (
    select l.account_id from event_listeners l
    where l.account_id in (select e.account_id from unnest(batch) e) and l.until > now()
    order by l.account_id for update) l;
  insert into webhook_events (account_id, id, type, scope, service_id, key_id, account_wide, project_id, end_user_id, payload, position)
  select e.account_id, e.id, e.type, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id, e.payload,
    l.position + row_number() over (partition by e.account_id order by e.id)
  from unnest(batch) e left join event_listeners l on l.account_id = e.account_id and l.account_id = any(followed);
  update event_listeners l set position = l.position + e.n
  from (select b.account_id, count(*) as n from unnest(batch) b group by b.account_id) e
  where l.account_id = e.account_id and l.account_id = any(followed);
  -- A payload is parsed once, and only if a webhook of its account has a filter.
  with parsed as materialized (
    select e as event, case when e.account_id in (
      select f.account_id from webhooks f
      where f.account_id in (select b.account_id from unnest(batch) b) and f.status = 'active' and f.filter_path is not null)
      then body_of(e.payload) end as body
    from unnest(batch) e)
  insert into webhook_queue (account_id, id, webhook_id, event_id, event, thin, project_id, end_user_id, due_at)
  select w.account_id, uuidv7(), w.id, (p.event).id, (p.event).type, w.payload = 'thin', w.project_id, w.end_user_id, now()
  from parsed p join webhooks w on w.account_id = (p.event).account_id
  where w.status = 'active' and webhook_gets(w, p.event) and (w.filter_path is null or coalesce(p.body @@ w.filter_path, false));
  get diagnostics queued = row_count;
  resumed := resume_by_events(batch);
  perform start_by_events(batch);
end $$;
