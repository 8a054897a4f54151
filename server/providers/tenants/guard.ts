import type postgres from "postgres";

/** Named by version: a database without it gets it when a process first connects. */
const NAME = "platform_guard_1";

/** True if the session's database has the guard. */
export const HAS_GUARD = `exists (select from pg_catalog.pg_event_trigger where evtname operator(pg_catalog.=) '${NAME}')`;

/**
 * Keeps a tenant's statements from locks that all databases of a cluster share. CREATE RULE waits for a table's
 * exclusive lock before it checks privileges, and sign-ins then wait behind it; the lock table is shared by all
 * databases.
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

/** Installs the guard in the administrator's current database; repeating it changes nothing. */
export async function installGuard(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(GUARD);
}
