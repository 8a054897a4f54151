-- The platform's events, the runs that wait for them, and the order of locks of sent-events.sql.

-- Returns whether the key or member that created a run or trigger may read a platform event now, within its project and end
-- user.
create or replace function initiator_reads(p_type text, p_id uuid, p_project uuid, p_end_user uuid, e outbox)
returns boolean language sql stable as $$
  select (e.account_wide or p_project is null or p_project is not distinct from e.project_id)
    and (e.account_wide or p_end_user is null or p_end_user is not distinct from e.end_user_id)
    and coalesce(case p_type
      when 'key' then key_reads(e.account_id, p_id, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id)
      else (select role_has(m.role, e.scope) from members m where m.account_id = e.account_id and m.id = p_id) end, false)
$$;

-- Returns the form of a platform event on which conditions are evaluated.
create or replace function platform_event(e outbox) returns jsonb language sql immutable as $$
  select jsonb_build_object('name', e.type, 'data', body_of(e.payload) -> 'data')
$$;

-- Stores a platform event that a run has received, like an event that an account has sent.
create or replace function keep_event(e outbox) returns void language sql as $$
  insert into sent_events (account_id, id, project_id, end_user_id, space, name, data, privacy_tier, sent_at)
  values (e.account_id, e.id, e.project_id, e.end_user_id, '00000000-0000-0000-0000-000000000000', e.type,
    convert_to((e.payload::json -> 'data')::text, 'UTF8'), 'standard', uuid_extract_timestamp(e.id))
  on conflict do nothing
$$;

-- Returns how much work it is to compare an event with a wait: more for long conditions.
create or replace function wait_load(p_conditions jsonb) returns int language sql immutable parallel safe as $$
  select 1 + coalesce(octet_length(p_conditions::text), 0) / 400
$$;

-- Resumes the runs that wait for platform events, when these are fanned out. Returns the number of resumed runs. Conditions
-- are evaluated first, then rights, and only then is a run locked: most waits accept few events, and other accounts' events
-- wait meanwhile.
create or replace function resume_by_events(p_events outbox[]) returns int language plpgsql as $$
declare
  found_run record;
  nth int;
  event outbox;
  wait event_waits;
  went_on int := 0;
begin
  for found_run in
    with parsed as materialized (
      select e.account_id, e.type, e.n::int as n, platform_event(p_events[e.n::int]) as body,
        (min(e.n) over (partition by e.account_id, e.scope, e.service_id, e.key_id, e.account_wide, e.project_id, e.end_user_id))::int as first_alike
      from unnest(p_events) with ordinality e(account_id, id, type, scope, service_id, key_id, account_wide, project_id, end_user_id, payload, depth, n)
      where exists (select from event_waits w
        where w.account_id = e.account_id and w.name = e.type and w.event_id is null and w.of_platform)),
    waiting as materialized (
      select w.account_id, w.name, w.conditions, r.id as run_id, r.caller_type, r.caller_id, r.project_id, r.end_user_id
      from (select distinct p.account_id, p.type from parsed p) p
      join event_waits w on w.account_id = p.account_id and w.name = p.type and w.event_id is null and w.of_platform
      join runs r on r.account_id = w.account_id and r.id = w.run_id and r.finished_at is null and r.status <> 'cancelling'
      where w.until > clock_timestamp()),
    fits as materialized (
      select w.*, p.n, p.first_alike, row(w.caller_type, w.caller_id, w.project_id, w.end_user_id, p.first_alike)::text as access
      from parsed p join waiting w on w.account_id = p.account_id and w.name = p.type
      where not exists (
        -- As `event_fits`, which would be called for each pair.
        select from jsonb_array_elements(coalesce(w.conditions, '[]')) c,
          lateral (select p.body #> string_to_array(c ->> 'path', '.') as found, c -> 'value' as wanted offset 0) v
        where not condition_holds(c ->> 'op', v.found, v.wanted))),
    readable as materialized (
      select f.access from (select distinct on (f.access) f.* from fits f) f
      where initiator_reads(f.caller_type, f.caller_id, f.project_id, f.end_user_id, p_events[f.first_alike]))
    select f.account_id, f.run_id, array_agg(distinct f.n order by f.n) as events
    from fits f where f.access in (select a.access from readable a)
    group by 1, 2 order by 1, 2
  loop
    perform from runs r
    where r.account_id = found_run.account_id and r.id = found_run.run_id and r.finished_at is null and r.status <> 'cancelling'
    for no key update;
    continue when not found;
    foreach nth in array found_run.events loop
      event := p_events[nth];
      exit when not exists (select from event_waits w
        where w.account_id = event.account_id and w.run_id = found_run.run_id and w.event_id is null and w.of_platform);
      select w.* into wait from event_waits w
      where w.account_id = event.account_id and w.run_id = found_run.run_id and w.name = event.type and w.event_id is null
        and w.of_platform and w.until > clock_timestamp() and event_fits(platform_event(event), w.conditions)
        and not exists (select from event_waits t
          where t.account_id = event.account_id and t.run_id = found_run.run_id and t.event_id = event.id)
      order by w.at, w.step, w.nth limit 1;
      continue when not found;
      perform keep_event(event);
      perform answer_wait(wait, event.id);
      perform wake_run(event.account_id, found_run.run_id);
      went_on := went_on + 1;
    end loop;
  end loop;
  return went_on;
end $$;

-- Searches some of the platform events from before a step began to wait, in the outbox or fanned out, oldest first after a
-- given one, and ends the step's wait with the first that it accepts; only that locks the run. `taken` is null if the worker
-- has lost the run, or if another event has ended the wait. `searched` is the last event of those; null if it is the last of all.
drop function if exists take_past_platform_event(uuid, uuid, text, int, text);
create or replace function take_past_platform_event(
  p_account uuid, p_run uuid, p_worker text, p_fence int, p_step text, p_after uuid, p_limit int, out taken boolean, out searched uuid
) language plpgsql as $$
declare
  run runs;
  event outbox;
  wait event_waits;
  after_id uuid;
  named outbox[];
begin
  select r.* into run from runs r where r.account_id = p_account and r.id = p_run and r.worker = p_worker and r.fence = p_fence;
  select coalesce(p_after, uuid_floor(min(w.since))) into after_id from event_waits w
  where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.of_platform and w.event_id is null having count(*) > 0;
  if run.id is null or after_id is null then return; end if;
  with page as materialized (
    select e.* from (
      (select o.* from outbox o where o.account_id = p_account and o.id > after_id order by o.id limit p_limit)
      union all
      (select h.account_id, h.id, h.type, h.scope, h.service_id, h.key_id, h.account_wide, h.project_id, h.end_user_id, h.payload, 0
      from webhook_events h where h.account_id = p_account and h.id > after_id order by h.id limit p_limit)) e
    order by e.id limit p_limit)
  select array_agg(row(p.*)::outbox order by p.id) filter (where p.type in (select w.name from event_waits w
      where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.of_platform)),
    case when count(*) = p_limit then (array_agg(p.id order by p.id desc))[1] end
  into named, searched from page p;
  taken := false;
  foreach event in array coalesce(named, '{}') loop
    select w.* into wait from event_waits w
    where w.account_id = p_account and w.run_id = p_run and w.step = p_step and w.of_platform and w.name = event.type
      and w.event_id is null and event_fits(platform_event(event), w.conditions)
    order by w.nth limit 1;
    continue when not found or not initiator_reads(run.caller_type, run.caller_id, run.project_id, run.end_user_id, event);
    taken := take_platform_event(wait, p_worker, p_fence, event);
    exit when taken is distinct from false;
  end loop;
end $$;

-- Ends a wait with a platform event from before. Returns false if another step of the run has received this event; null if
-- the worker has lost the run, or if another event has ended the wait.
create or replace function take_platform_event(p_wait event_waits, p_worker text, p_fence int, e outbox) returns boolean language plpgsql as $$
begin
  perform from runs r
  where r.account_id = p_wait.account_id and r.id = p_wait.run_id and r.worker = p_worker and r.fence = p_fence for no key update;
  if not found or not exists (select from event_waits w
    where w.account_id = p_wait.account_id and w.run_id = p_wait.run_id and w.step = p_wait.step and w.nth = p_wait.nth and w.event_id is null)
  then return null; end if;
  if exists (select from event_waits t where t.account_id = p_wait.account_id and t.run_id = p_wait.run_id and t.event_id = e.id)
  then return false; end if;
  perform keep_event(e);
  perform answer_wait(p_wait, e.id);
  return true;
end $$;
