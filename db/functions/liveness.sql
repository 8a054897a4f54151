-- Returns whether a process lives, that is, holds an advisory lock on the hash of its name (`server/base/liveness.ts`).
create or replace function process_lives(p_name text) returns boolean language sql stable strict as $$
  select exists (
    select from pg_locks l where l.locktype = 'advisory' and l.classid = 1869771361::oid and l.objid = hashtext(p_name)::oid and l.granted
      and l.database = (select d.oid from pg_database d where d.datname = current_database()))
$$;
