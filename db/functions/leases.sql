-- Releases leases of ended calls, and all leases of these batches of `admit`.
create or replace function give_back_leases(p_leases uuid[], p_batches uuid[]) returns void language sql as $$
  select release_leases(p_leases || array(
    select l.id from unnest(p_batches) batch join leases l on l.id between lease_of(batch, 0) and lease_of(batch, 281474976710655)))
$$;

-- Renews the leases of a process's running calls, and releases expired ones, whose process died.
create or replace function keep_leases(p_leases uuid[]) returns void language plpgsql as $$
begin
  update leases set expires_at = clock_timestamp() + interval '1 minute' where id = any(p_leases);
  perform release_leases(array(
    select id from leases where expires_at < clock_timestamp() order by expires_at limit 1000 for update skip locked));
end $$;
