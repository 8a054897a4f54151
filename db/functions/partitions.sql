-- Creates each table's partitions for these months, and for every month with rows in the default partition, which is a safety
-- net in case no worker ran for months. They lie in the schema of their table: the first of the search path is the release's
-- own, which is dropped with it. Every read of the table waits behind the lock of its default partition, so it gives up while
-- others, such as a dump, use that partition.
create or replace function create_partitions(p_months timestamptz[]) returns void language plpgsql set lock_timeout = '2s' as $$
declare
  parent text;
  home text;
  part_key text;
  wanted record;
begin
  perform pg_advisory_xact_lock(7305482915);
  foreach parent in array array['audit_chain', 'run_steps', 'run_timeline', 'webhook_events', 'webhook_history'] loop
    select a.attname, c.relnamespace::regnamespace into strict part_key, home from pg_partitioned_table t
    join pg_class c on c.oid = t.partrelid
    join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0] where t.partrelid = parent::regclass;
    for wanted in execute format($query$
      select m.month, %L || to_char(m.month at time zone 'utc', 'YYYY_MM') as partition,
        uuid_floor(m.month) as lower, uuid_floor(date_trunc('month', m.month + interval '32 days', 'UTC')) as upper
      from (
        select date_trunc('month', given, 'UTC') as month from unnest($1) given
        union select date_trunc('month', uuid_extract_timestamp(r.%I), 'UTC') from %I r) m
      order by m.month$query$, home || '.' || parent || '_', part_key, parent || '_rest')
      using p_months
    loop
      continue when to_regclass(wanted.partition) is not null;
      execute format('lock table %I in access exclusive mode', parent || '_rest');
      execute format('create table %s (like %I including defaults including constraints)', wanted.partition, parent);
      execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %s select * from moved',
        parent || '_rest', part_key, wanted.lower, part_key, wanted.upper, wanted.partition);
      execute format('alter table %I attach partition %s for values from (%L) to (%L)', parent, wanted.partition, wanted.lower, wanted.upper);
    end loop;
  end loop;
end $$;

-- Creates each table's partitions for this month and the next two.
create or replace function ensure_partitions() returns void language sql as $$
  select create_partitions(array(select now() + make_interval(months => ahead) from generate_series(0, 2) ahead))
$$;

-- Returns a table's partitions whose rows are all older than this many months, oldest first.
create or replace function old_partitions(p_parent text, p_months int) returns setof text language sql stable as $$
  select c.relname::text
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = p_parent::regclass and c.relname ~ ('^' || p_parent || '_\d{4}_\d\d$')
    and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'utc' <= now() - make_interval(months => p_months)
  order by c.relname
$$;

-- Returns those partitions of runs' journals or timelines, but none of a month in which a run was created that has not
-- ended: it may start a year later, and reads both until its end.
create or replace function old_run_partitions(p_parent text, p_months int) returns setof text language sql stable as $$
  select old.name
  from old_partitions(p_parent, p_months) old(name), to_date(right(old.name, 7), 'YYYY_MM') month
  where not exists (
    select from runs r where r.finished_at is null and r.id >= uuid_floor(month::timestamp at time zone 'utc')
      and r.id < uuid_floor((month + interval '1 month') at time zone 'utc'))
$$;

-- Drops these partitions; gives up after five seconds if others use them.
create or replace function drop_partitions(p_names text[]) returns void language plpgsql as $$
declare
  old text;
begin
  perform set_config('lock_timeout', '5s', true);
  foreach old in array p_names loop
    execute format('drop table %I', old);
  end loop;
end $$;

-- Drops a table's old partitions, for rows that nothing else refers to.
drop function if exists drop_old_partitions(text, int);
create or replace function drop_old_partitions(p_parent text, p_months int) returns void language sql as $$
  select drop_partitions(array(select old_partitions(p_parent, p_months)))
$$;
