-- Claims endpoints with a due delivery that no worker has claimed; from then on only this worker sends to them.
create or replace function claim_endpoints(p_worker text, p_limit int) returns table (account_id uuid, webhook_id uuid) language sql as $$
  update webhook_health h set claimed_by = p_worker
  from (select c.account_id, c.webhook_id from webhook_health c where c.due_at <= now() and c.claimed_by is null
      and c.account_id <> all((select frozen_ids())::uuid[])
    order by c.due_at limit p_limit for update skip locked) c
  where h.account_id = c.account_id and h.webhook_id = c.webhook_id
  returning h.account_id, h.webhook_id
$$;

-- Returns the due deliveries of endpoints that the worker still holds, up to a number each, without those already in
-- progress. The first row of each endpoint has its address, headers and signing secrets.
drop function if exists due_deliveries(text, uuid[], uuid[], int[], uuid[]);
create function due_deliveries(p_worker text, p_accounts uuid[], p_webhooks uuid[], p_limits int[], p_busy uuid[])
returns table (
  account_id uuid, id uuid, webhook_id uuid, event_id uuid, event text, attempts int, payload text, thin boolean, url text,
  secret bytea, previous_secret bytea, headers bytea
) language sql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select q.account_id, q.id, q.webhook_id, q.event_id, q.event, jsonb_array_length(q.attempts), e.payload, q.thin,
    case when q.nth = 1 then w.url end, case when q.nth = 1 then w.secret end,
    case when q.nth = 1 and w.previous_secret_expires_at > now() then w.previous_secret end,
    case when q.nth = 1 then w.headers end
  from unnest(p_accounts, p_webhooks, p_limits) s(account_id, webhook_id, most)
  join webhook_health h on h.account_id = s.account_id and h.webhook_id = s.webhook_id and h.claimed_by = p_worker
    and h.account_id <> all((select frozen_ids())::uuid[])
  join webhooks w on w.account_id = s.account_id and w.id = s.webhook_id and w.status = 'active'
  cross join lateral (
    select x.*, row_number() over (order by x.due_at) as nth from webhook_queue x
    where x.account_id = s.account_id and x.webhook_id = s.webhook_id and x.due_at <= now()
      and x.id not in (select unnest(p_busy))
    order by x.due_at limit s.most) q
  join webhook_events e on e.account_id = q.account_id and e.id = q.event_id
$$;

-- Returns when an endpoint's next delivery is due; never while its webhook is not active.
create or replace function next_due(p_account uuid, p_webhook uuid) returns timestamptz language sql stable as $$
  select min(q.due_at) from webhook_queue q join webhooks w on w.account_id = q.account_id and w.id = q.webhook_id and w.status = 'active'
  where q.account_id = p_account and q.webhook_id = p_webhook
$$;

-- Releases endpoints, so that any free worker can claim them when the next delivery is due.
create or replace function release_endpoints(p_worker text, p_accounts uuid[], p_webhooks uuid[]) returns void language plpgsql as $$
begin
  -- Two statements, so that the second sees the deliveries that were queued while the first waited for the lock.
  perform from webhook_health h join unnest(p_accounts, p_webhooks) s(account_id, webhook_id) using (account_id, webhook_id)
  where h.claimed_by = p_worker order by h.webhook_id for no key update of h;
  update webhook_health h set claimed_by = null, due_at = next_due(h.account_id, h.webhook_id)
  from unnest(p_accounts, p_webhooks) s(account_id, webhook_id)
  where h.account_id = s.account_id and h.webhook_id = s.webhook_id and h.claimed_by = p_worker;
end $$;

-- Releases endpoints without a sender: those of dead workers, and those claimed for this worker in a response that
-- was lost.
drop function if exists release_dead_endpoints(int, text, uuid[]);
create or replace function release_dead_endpoints(p_worker text, p_known uuid[]) returns void language sql as $$
  update webhook_health h set claimed_by = null, due_at = least(h.due_at, now())
  where h.claimed_by is not null and case when h.claimed_by = p_worker then h.webhook_id <> all(p_known)
    else not process_lives(h.claimed_by) end
$$;

-- Makes a worker check an endpoint again whose webhook was reactivated.
create or replace function wake_endpoint(p_account uuid, p_webhook uuid) returns void language plpgsql as $$
begin
  perform from webhook_health h where h.account_id = p_account and h.webhook_id = p_webhook for no key update;
  update webhook_health h set due_at = next_due(p_account, p_webhook) where h.account_id = p_account and h.webhook_id = p_webhook;
end $$;

-- Stores attempts: `[{ accountId, id, webhookId, before, attempt, outcome, dueAt }]`, where outcome is succeeded,
-- failed or retry, and before is the previous number of attempts. Attempts that were stored already stay as they are.
-- Returns the failed endpoints, with the time since when they fail.
create or replace function finish_attempts(p_done jsonb)
returns table (account_id uuid, webhook_id uuid, failing_since timestamptz, warned_at timestamptz)
-- The queue's statistics are always outdated: it is either empty or long.
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return query
  with done as (
    select * from jsonb_to_recordset(p_done) d("accountId" uuid, id uuid, "webhookId" uuid, before int, attempt jsonb, outcome text, "dueAt" timestamptz)),
  finished as (
    delete from webhook_queue q using done d where q.account_id = d."accountId" and q.id = d.id and d.outcome <> 'retry'
    returning q.*, d.attempt, d.outcome),
  kept as (
    insert into webhook_history (account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, status)
    select f.account_id, f.id, f.webhook_id, f.event_id, f.event, f.replay_of, f.thin, f.attempts || f.attempt, f.project_id, f.end_user_id, f.outcome
    from finished f),
  postponed as (
    update webhook_queue q set attempts = q.attempts || d.attempt, due_at = d."dueAt"
    from done d where q.account_id = d."accountId" and q.id = d.id and d.outcome = 'retry' and jsonb_array_length(q.attempts) = d.before),
  health as (
    select d."accountId" as account, d."webhookId" as webhook, bool_or(d.outcome = 'succeeded') as well,
      max((d.attempt->>'at')::timestamptz) filter (where d.outcome = 'succeeded') as good,
      max((d.attempt->>'at')::timestamptz) filter (where d.outcome <> 'succeeded') as bad,
      count(*) filter (where d.outcome <> 'succeeded') as failures
    from done d group by 1, 2 order by 2)
  update webhook_health h set
    failures = case when s.well then 0 else h.failures + s.failures end,
    failing_since = case when s.well then null else coalesce(h.failing_since, s.bad) end,
    warned_at = case when s.well then null else h.warned_at end,
    last_success_at = coalesce(s.good, h.last_success_at),
    last_failure_at = coalesce(s.bad, h.last_failure_at)
  from health s where h.account_id = s.account and h.webhook_id = s.webhook
  returning h.account_id, h.webhook_id, h.failing_since::timestamptz, h.warned_at::timestamptz;
end $$;

-- Abandons the waiting deliveries of a disabled webhook.
create or replace function abandon_deliveries(p_account uuid, p_webhook uuid) returns void language sql as $$
  with gone as (delete from webhook_queue q where q.account_id = p_account and q.webhook_id = p_webhook returning q.*)
  insert into webhook_history (account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, status)
  select g.account_id, g.id, g.webhook_id, g.event_id, g.event, g.replay_of, g.thin, g.attempts, g.project_id, g.end_user_id, 'abandoned' from gone g
$$;

-- Abandons the waiting deliveries of events that are about to be dropped with their months: the webhook was paused since.
create or replace function abandon_old_deliveries(p_months int) returns void language sql as $$
  with gone as (
    delete from webhook_queue q
    where q.event_id < (
      select uuid_floor(max((to_date(right(old, 7), 'YYYY_MM') + interval '1 month') at time zone 'utc'))
      from old_partitions('webhook_events', p_months) old)
    returning q.*)
  insert into webhook_history (account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, status)
  select g.account_id, g.id, g.webhook_id, g.event_id, g.event, g.replay_of, g.thin, g.attempts, g.project_id, g.end_user_id, 'abandoned' from gone g
$$;

-- Abandons the waiting deliveries of events beyond the role of the member who chose the webhook's address.
create or replace function abandon_beyond_role(p_account uuid, p_webhook uuid) returns void language sql as $$
  with gone as (
    delete from webhook_queue q using webhooks w, webhook_events e
    where q.account_id = p_account and q.webhook_id = p_webhook and w.account_id = p_account and w.id = p_webhook
      and e.account_id = p_account and e.id = q.event_id and not role_has(w.member_role, e.scope)
    returning q.*)
  insert into webhook_history (account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, status)
  select g.account_id, g.id, g.webhook_id, g.event_id, g.event, g.replay_of, g.thin, g.attempts, g.project_id, g.end_user_id, 'abandoned' from gone g
$$;

-- Returns the events since a time that a webhook should have received, has not, and that are not queued for it.
create or replace function missed_events(p_account uuid, p_webhook uuid, p_since timestamptz) returns table (id uuid, type text)
language sql stable as $$
  select e.id, e.type from webhook_events e, webhooks w
  where w.account_id = p_account and w.id = p_webhook and e.account_id = p_account and e.id >= uuid_floor(p_since)
    and webhook_gets(w, row(e.account_id, e.id, e.type, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id, e.payload, 0)::outbox)
    and (w.filter_path is null or coalesce(body_of(e.payload) @@ w.filter_path, false))
    and not exists (select from webhook_queue q where q.account_id = p_account and q.webhook_id = p_webhook and q.event_id = e.id)
    and not exists (select from webhook_history d
      where d.account_id = p_account and d.event_id = e.id and d.webhook_id = p_webhook and d.status = 'succeeded')
$$;

-- Queues the missed events. Returns how many.
create or replace function recover_events(p_account uuid, p_webhook uuid, p_since timestamptz) returns int language plpgsql as $$
declare
  queued int;
begin
  insert into webhook_queue (account_id, id, webhook_id, event_id, event, thin, project_id, end_user_id, due_at)
  select p_account, uuidv7(), p_webhook, m.id, m.type, w.payload = 'thin', w.project_id, w.end_user_id, now()
  from missed_events(p_account, p_webhook, p_since) m, webhooks w where w.account_id = p_account and w.id = p_webhook
  order by m.id;
  get diagnostics queued = row_count;
  return queued;
end $$;
