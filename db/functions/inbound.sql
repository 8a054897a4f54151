-- Deliveries of inbound webhooks. The order of locks is: the trigger, then its webhook.

-- Returns whether the address with this token hash accepts deliveries.
create or replace function is_address(w inbound_webhooks, p_token text) returns boolean language plpgsql volatile as $$
begin
  return w.token_hash = p_token or coalesce(w.previous_token_hash = p_token and w.previous_until > trigger_clock(), false);
end $$;

-- Accepts deliveries with valid signatures: a delivery that meets its trigger's conditions is stored and starts a run.
-- Returns the outcome of each: `taken`; `repeated` if it was accepted within a day; `passed` if it does not meet the
-- conditions; `limited`, `crowded`, `full` or `gone` if it was refused; or `unjudged` if the conditions can't be evaluated on
-- it.
drop function if exists take_deliveries(jsonb);
create or replace function take_deliveries(p_deliveries jsonb, p_budget bigint)
returns table (n int, outcome text, retry_seconds int) language plpgsql as $$
declare
  d record;
begin
  -- Before any of them is counted, so that no transaction waits for a trigger while others wait for its shard.
  perform from triggers t
  where (t.account_id, t.id) in (select x.account, x."trigger" from jsonb_to_recordset(p_deliveries) as x(account uuid, "trigger" uuid))
  order by t.account_id, t.id for no key update;
  for d in
    select * from jsonb_to_recordset(p_deliveries) as x(nth int, account uuid, "trigger" uuid, token text, id uuid, name text,
      reference text, data text, headers text, event jsonb)
    order by x.account, x."trigger", x.nth
  loop
    n := d.nth;
    retry_seconds := null;
    outcome := take_delivery(d.account, d."trigger", d.token, d.id, d.name, d.reference, d.data, d.headers, d.event, p_budget);
    if outcome = 'limited' then
      retry_seconds := ceil(extract(epoch from date_trunc('minute', trigger_clock()) + interval '1 minute' - trigger_clock()));
    end if;
    return next;
  end loop;
end $$;

-- Accepts one delivery; `data` and `headers` are stored (base64), and conditions are evaluated on `event`.
drop function if exists take_delivery(uuid, uuid, text, uuid, text, text, text, text, jsonb);
create or replace function take_delivery(
  p_account uuid, p_trigger uuid, p_token text, p_id uuid, p_name text, p_reference text, p_data text, p_headers text, p_event jsonb,
  p_budget bigint
) returns text language plpgsql as $$
declare
  t triggers;
  this_minute timestamptz := date_trunc('minute', trigger_clock());
  has_room boolean;
  body bytea;
  headers bytea;
  bytes bigint;
begin
  select * into t from triggers x where x.account_id = p_account and x.id = p_trigger for no key update;
  if not found then return 'gone'; end if;
  if t.conditions is not null and p_event is null then return 'unjudged'; end if;
  update inbound_webhooks w set minute = this_minute,
    taken = case when w.minute = this_minute then least(w.taken, w.requests_per_minute) + 1 else 1 end
  where w.account_id = p_account and w.trigger_id = p_trigger and is_address(w, p_token)
  returning w.taken <= w.requests_per_minute into has_room;
  if not found then return 'gone'; end if;
  if not has_room then return 'limited'; end if;
  if not event_fits(p_event, t.conditions) then return 'passed'; end if;
  if not takes_event(p_account, p_trigger) then return 'crowded'; end if;
  if exists (select from sent_events e where e.account_id = p_account and e.space = p_trigger and e.reference = p_reference
    and e.sent_at > trigger_clock() - interval '1 day') then return 'repeated'; end if;
  body := decode(p_data, 'base64');
  headers := decode(p_headers, 'base64');
  bytes := event_bytes(body, headers);
  if take_bytes(p_account, 'events', bytes, bytes, p_budget) is not null then return 'full'; end if;
  update sent_events e set reference = null
  where e.account_id = p_account and e.space = p_trigger and e.reference = p_reference and e.sent_at <= trigger_clock() - interval '1 day';
  insert into sent_events (account_id, id, project_id, end_user_id, space, name, reference, data, headers, privacy_tier, started, sent_at)
  values (p_account, p_id, t.project_id, t.end_user_id, p_trigger, p_name, p_reference, body, headers,
    'strict', 1, trigger_clock());
  perform insert_event_tick(p_account, p_trigger, p_id, 0, null);
  return 'taken';
end $$;

-- Counts deliveries with invalid signatures.
create or replace function count_rejected(p_rejected jsonb) returns void language plpgsql as $$
declare
  r record;
  fenced uuid[] := fenced_ids();
begin
  for r in
    select x.account, x."trigger", count(*) as n from jsonb_to_recordset(p_rejected) as x(account uuid, "trigger" uuid)
    group by 1, 2 order by 1, 2
  loop
    update inbound_webhooks w set rejected = w.rejected + r.n where w.account_id = r.account and w.trigger_id = r."trigger" and w.account_id <> all(fenced);
  end loop;
end $$;
