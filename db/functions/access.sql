-- Returns when a key expires: at its fixed time, or 30 days after its last use.
create or replace function key_expiry(p_expires_at timestamptz, p_last_used_at timestamptz) returns timestamptz
language sql stable parallel safe as $$ select coalesce(p_expires_at, p_last_used_at + interval '30 days') $$;

-- Returns why a key is invalid, given the highest revoked and expired keys of its chain; null if it is valid.
create or replace function dead_key_code(p_key api_keys, p_revoked_by uuid, p_expired_by uuid, p_at_ms bigint) returns text
language sql stable as $$
  select case
    when p_key.revoked_at is not null then 'api_key_revoked'
    when p_revoked_by is not null then 'ancestor_revoked'
    when p_expired_by is null then null
    when key_expiry(p_key.expires_at, p_key.last_used_at) <= to_timestamp(p_at_ms / 1000.0) then 'api_key_expired'
    else 'ancestor_expired' end
$$;

-- Returns the first check that refuses a call, with the highest key that fails it; null if none does.
create or replace function access_denial(p_scope_by uuid, p_service_by uuid, p_operation_by uuid) returns jsonb
language sql stable parallel safe as $$
  select case
    when p_scope_by is not null then jsonb_build_object('check', 'scope', 'keyId', p_scope_by)
    when p_service_by is not null then jsonb_build_object('check', 'service', 'keyId', p_service_by)
    when p_operation_by is not null then jsonb_build_object('check', 'operation', 'keyId', p_operation_by) end
$$;

-- Decides access to one call over a key's whole chain: returns for each check the highest key that refuses, or null.
-- `p_selectors` has the most exact first; `p_exact` says whether that names one operation. Otherwise it is an
-- aggregate, which passes when any operation below it is allowed. Without a scope, every key passes. A key whose ancestor
-- is gone, as in an account that is being erased, is as good as revoked. Inlined into the calling query's plan.
create or replace function judge_chain(
  p_account uuid, p_chain uuid[], p_at_ms bigint, p_scope text, p_service text, p_selectors text[], p_exact boolean,
  p_registered_ms bigint, p_service_registered_ms bigint
) returns table (revoked_by uuid, expired_by uuid, scope_by uuid, service_by uuid, operation_by uuid) language sql stable as $$
  select
    coalesce((array_agg(a.id order by a.depth) filter (where a.revoked_at is not null))[1],
      case when count(*) < cardinality(p_chain) then p_chain[1] end),
    (array_agg(a.id order by a.depth) filter (where
      key_expiry(a.expires_at, a.last_used_at) <= to_timestamp(p_at_ms / 1000.0)))[1],
    (array_agg(a.id order by a.depth) filter (where p_scope is not null and p_scope <> all(a.scopes)))[1],
    (array_agg(a.id order by a.depth) filter (where p_service is not null and p_service <> all(a.allowed_services)))[1],
    (array_agg(a.id order by a.depth) filter (where not case
      when p_scope is null then true
      when a.allowed_operations is null then
        coalesce(p_registered_ms <= extract(epoch from a.operations_as_of) * 1000, true)
        or coalesce(p_service_registered_ms > extract(epoch from a.operations_as_of) * 1000 and a.allowed_services is null, false)
      when p_exact then a.allowed_operations && p_selectors
      else exists (select from unnest(a.allowed_operations) o where o = p_selectors[1] or starts_with(o, p_selectors[1] || '.'))
    end))[1]
  from api_keys a where a.account_id = p_account and a.id = any(p_chain)
$$;

-- Returns the label of a key or member; null if they are gone.
create or replace function label_of(p_account uuid, p_type text, p_id uuid) returns text language sql stable as $$
  select k.label from api_keys k where p_type = 'key' and k.account_id = p_account and k.id = p_id
  union all
  select coalesce(nullif(u.name, ''), u.email) from members m join users u on u.id = m.user_id
  where p_type = 'member' and m.account_id = p_account and m.id = p_id
$$;

-- Returns the current initiator (key or member) of work that continues without them, restricted to the resource's
-- assignment. Null if the key or member is gone; `code` says why nothing may continue on their behalf.
create or replace function initiator(p_account uuid, p_type text, p_id uuid, p_project uuid, p_end_user uuid)
returns jsonb language sql stable as $$
  select caller || jsonb_build_object(
    'projectStatus', (select case when p.archived_at is null then 'active' else 'archived' end
      from projects p where p.account_id = p_account and p.id = p_project),
    'endUser', (select e.external_id from end_users e where e.account_id = p_account and e.id = p_end_user))
  from (
    select jsonb_build_object('hash', encode(k.hash, 'hex'), 'label', k.label, 'scopes', k.scopes, 'chain', k.chain,
      'depth', k.depth, 'allowedServices', k.allowed_services, 'projectBound', k.project_id is not null,
      'endUserBound', k.end_user_id is not null, 'privacyTier', k.privacy_tier,
      'code', dead_key_code(k, chain.revoked_by, chain.expired_by, moment.at_ms)) as caller
    from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as at_ms) moment, api_keys k,
      lateral judge_chain(k.account_id, k.chain, moment.at_ms, null, null, null, false, null, null) chain
    where p_type = 'key' and k.account_id = p_account and k.id = p_id
    union all
    select jsonb_build_object('userId', m.user_id, 'label', label_of(p_account, p_type, p_id), 'role', m.role)
    from members m
    where p_type = 'member' and m.account_id = p_account and m.id = p_id) found
$$;

-- Explains which calls of a key would be admitted now: `denied` per call, in order, is null or `{ check, keyId }`.
-- p_calls: [{ scope, service, selectors, exact, registeredAt, serviceRegisteredAt, credits }]. Concurrency is
-- ignored, since the asking call counts itself.
create or replace function explain_access(p_account uuid, p_chain uuid[], p_calls jsonb)
returns table (denied jsonb) language sql stable as $$
  with moment as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as at_ms),
  limits as materialized (
    select l.key_id, l.selector, array_position(p_chain, l.key_id) as place,
      l.requests_per_minute <= (
        select sum(u.n) from rate_limit_counters r, unnest(r.at, r.admitted) u(at, n)
        where r.key_id = l.key_id and r.selector = l.selector and u.at > (select at_ms from moment) - 60000) as exhausted,
      l.credits_per_day - coalesce((
        select d.used from key_days d
        where d.account_id = p_account and d.key_id = l.key_id and d.selector = l.selector and d.day = (now() at time zone 'utc')::date), 0) as credits_left
    from key_limits l where l.account_id = p_account and l.key_id = any(p_chain)
  )
  select coalesce(access_denial(j.scope_by, j.service_by, j.operation_by), (
    select jsonb_build_object('check', 'limit', 'keyId', l.key_id) from limits l
    where (l.selector = '*' or l.selector = any(c.selectors)) and (l.exhausted or l.credits_left < c.credits)
    order by l.place desc limit 1))
  from rows from (jsonb_to_recordset(p_calls) as (
    scope text, service text, selectors text[], exact boolean, "registeredAt" bigint, "serviceRegisteredAt" bigint, credits bigint
  )) with ordinality c(scope, service, selectors, exact, registered_ms, service_registered_ms, credits, nth),
  moment, lateral judge_chain(p_account, p_chain, moment.at_ms, c.scope, c.service, c.selectors, c.exact, c.registered_ms, c.service_registered_ms) j
  order by c.nth
$$;

-- Returns whether a role has a scope (ROLE_SCOPES).
create or replace function role_has(p_role text, p_scope text) returns boolean language sql immutable as $$
  select p_role in ('owner', 'admin') or p_scope like '%:read' or (p_role = 'approver' and p_scope = 'approvals:write')
    or (p_role = 'developer' and p_scope <> all('{approvals:write,wallets:sign,wallets:transact,trading:execute}'))
$$;
