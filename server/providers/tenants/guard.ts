import type postgres from "postgres";

/** Named by version: a database that lacks it is given it when a process first connects to it. */
const NAME = "platform_guard_1";

/** Whether the database of a session has the guard. */
export const HAS_GUARD = `exists (select from pg_catalog.pg_event_trigger where evtname operator(pg_catalog.=) '${NAME}')`;

/**
 * Keeps a tenant's statements from locks that all databases of a cluster share. CREATE RULE waits for a table's
 * exclusive lock before it looks at rights, and who signs in then waits behind it; the table of locks is one for all.
 */
const GUARD = `
  begin;
  set local statement_timeout = '10s';
  select pg_advisory_xact_lock(hashtext('${NAME}'));
  do $$
  declare name text;
  begin
    for name in select oid::regprocedure::text from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^pg_(try_)?advisory_(xact_)?lock(_shared)?$'
    loop
      execute format('revoke all on function %s from public', name);
    end loop;
  end $$;
  create or replace function pg_catalog.${NAME}() returns event_trigger language plpgsql set search_path = pg_catalog as $$
  begin
    if current_setting('is_superuser') = 'off' then
      raise exception 'rules are not available; use a trigger' using errcode = 'insufficient_privilege';
    end if;
  end $$;
  drop event trigger if exists ${NAME};
  create event trigger ${NAME} on ddl_command_start when tag in ('CREATE RULE') execute function pg_catalog.${NAME}();
  commit`;

/** Guards the database that the administrator is connected to; done again it changes nothing. */
export async function installGuard(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(GUARD);
}
