-- Reserves storage for a blob that is about to be written or that grows: `p_bytes`, or else `p_least`, or else
-- nothing. Locks the account's row of that kind, so that parallel writers together never exceed the budget.
-- Reservations of blobs that are not kept are released with their loose blob.
create or replace function reserve_bytes(
  p_account uuid, p_kind text, p_key uuid, p_bytes bigint, p_least bigint, p_budget bigint, p_seconds int,
  out granted bigint, out used bigint
) language plpgsql as $$
begin
  insert into storage_usage (account_id, kind, used_bytes) values (p_account, p_kind, 0) on conflict do nothing;
  select u.used_bytes into used from storage_usage u
  where u.account_id = p_account and u.kind = p_kind for no key update;
  granted := case when used + p_bytes <= p_budget then p_bytes when used + p_least <= p_budget then p_least else -1 end;
  if granted < 0 then return; end if;
  update storage_usage u set used_bytes = u.used_bytes + granted where u.account_id = p_account and u.kind = p_kind;
  insert into blob_bytes as b (key, account_id, kind, bytes) values (p_key, p_account, p_kind, granted)
  on conflict (key) do update set bytes = b.bytes + excluded.bytes;
  insert into loose_blobs (key, due_at) values (p_key, clock_timestamp() + p_seconds * interval '1 second')
  on conflict (key) do update set due_at = excluded.due_at;
end $$;

-- Sets a written blob's actual size, and how long it may stay loose. False if its sweep has begun in the meantime.
create or replace function settle_bytes(p_key uuid, p_bytes bigint, p_seconds int) returns boolean language plpgsql as $$
declare
  reserved blob_bytes;
begin
  update loose_blobs l set due_at = clock_timestamp() + p_seconds * interval '1 second'
  where l.key = p_key and not l.deleting;
  if not found then return false; end if;
  select * into reserved from blob_bytes b where b.key = p_key;
  update storage_usage u set used_bytes = u.used_bytes + p_bytes - reserved.bytes
  where u.account_id = reserved.account_id and u.kind = reserved.kind;
  update blob_bytes b set bytes = p_bytes where b.key = p_key;
  return true;
end $$;

-- Releases the storage of deleted blobs.
create or replace function release_bytes(p_keys uuid[]) returns void language plpgsql as $$
begin
  delete from loose_blobs l where l.key = any (p_keys);
  -- Locks in one order, so that two large releases do not deadlock.
  perform from storage_usage u
  where (u.account_id, u.kind) in (select b.account_id, b.kind from blob_bytes b where b.key = any (p_keys))
  order by u.account_id, u.kind for no key update;
  with gone as (delete from blob_bytes b where b.key = any (p_keys) returning b.*),
    sums as (select g.account_id, g.kind, sum(g.bytes)::bigint as bytes from gone g group by g.account_id, g.kind)
  update storage_usage u set used_bytes = u.used_bytes - s.bytes
  from sums s where u.account_id = s.account_id and u.kind = s.kind;
end $$;
