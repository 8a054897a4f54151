-- Returns the next due events of the first account after `p_after` that has some, each run's in the order of its timeline, with the
-- run's status at that entry. Leaves out events of the runs `p_resting`. A session keeps the plans that it made while the
-- table was small, so they must read the index.
create or replace function next_run_events(p_after uuid, p_resting uuid[], p_limit int)
returns table (account_id uuid, run_id uuid, seq int, status text) language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  fenced uuid[] := fenced_ids();
  next_account uuid;
begin
  select a.account_id into next_account from run_announcements a
  where a.account_id > p_after and a.account_id <> all(fenced) and a.run_id <> all(p_resting)
  order by a.account_id, a.run_id, a.seq limit 1;
  if not found then
    select a.account_id into next_account from run_announcements a
    where a.account_id <= p_after and a.account_id <> all(fenced) and a.run_id <> all(p_resting)
    order by a.account_id, a.run_id, a.seq limit 1;
  end if;
  return query
  select d.account_id, d.run_id, d.seq, e.data ->> 'status'
  from (
    select a.* from run_announcements a
    where a.account_id = next_account and a.run_id <> all(p_resting)
    order by a.account_id, a.run_id, a.seq limit p_limit) d
  left join run_timeline e on e.account_id = d.account_id and e.run_id = d.run_id and e.seq = d.seq
  order by d.run_id, d.seq;
end $$;
