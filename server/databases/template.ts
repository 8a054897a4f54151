import type postgres from "postgres";
import { installGuard } from "#server/providers/tenants/guard.ts";
import type { TenantSessions } from "#server/providers/tenants/sessions.ts";

/** Named by version: a changed template gets a new name, for databases created afterwards. */
export const TEMPLATE = "tenant_template_2";

const TEMPLATE_LOCK = 5_104_771_902;

/**
 * The template of every tenant's database. PostgreSQL lets everybody read the catalogues that all databases of a
 * cluster share; here a tenant sees nothing of the others. Large objects and WAL messages would bypass the size limit.
 */
const HARDENING = `
  revoke all on schema public from public;
  do $$
  declare name text;
  begin
    for name in
      select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'pg_catalog' and c.relkind in ('r', 'v') and (
        c.relisshared and c.relname not in ('pg_authid', 'pg_subscription')
        or c.relname in ('pg_roles', 'pg_user', 'pg_group', 'pg_locks', 'pg_prepared_xacts', 'pg_replication_slots', 'pg_cursors',
          'pg_available_extensions', 'pg_available_extension_versions', 'pg_aios')
        or c.relname like 'pg\\_stat\\_%' and c.relname !~ '^pg_stat_(user|all|sys|xact)_')
    loop
      execute format('revoke all on %s from public', name);
    end loop;
    for name in
      select p.oid::regprocedure::text from pg_proc p
      where p.pronamespace = 'pg_catalog'::regnamespace and (
        p.proname ~ '^(lo_|pg_stat_get_(activity|backend|db|progress|wal|subscription|io|slru|replication|ssl|gss|bgwriter|checkpointer|archiver)|pg_stat_reset)'
        or p.proname in ('loread', 'lowrite', 'pg_lock_status', 'pg_blocking_pids', 'pg_safe_snapshot_blocking_pids', 'pg_prepared_xact',
          'pg_get_replication_slots', 'pg_tablespace_size', 'pg_tablespace_databases', 'pg_logical_emit_message', 'pg_get_shmem_allocations',
          'pg_isolation_test_session_is_blocked', 'pg_last_committed_xact', 'pg_xact_commit_timestamp', 'pg_get_aios'))
    loop
      execute format('revoke all on function %s from public', name);
    end loop;
  end $$;`;

async function isMade(admin: postgres.Sql): Promise<boolean> {
  const found = await admin`select from pg_database where datname = ${TEMPLATE} and datistemplate`;
  return found.length > 0;
}

/** Creates the template if the cluster has none; of several processes one does, and the others wait. */
export async function ensureTemplate(tenants: TenantSessions, cluster: string): Promise<void> {
  if (await isMade(tenants.admin(cluster))) return;
  await tenants.inside(cluster, "postgres", async (admin) => {
    await admin`set lock_timeout = 0`;
    await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    if (await isMade(admin)) return;
    // Not yet marked as a template: left by a process that died.
    await admin.unsafe(`drop database if exists ${TEMPLATE}`);
    await admin.unsafe(`create database ${TEMPLATE} template template0`);
    await admin.unsafe(`revoke all on database ${TEMPLATE} from public`);
    await tenants.inside(cluster, TEMPLATE, async (inside) => {
      await inside.unsafe(HARDENING);
      await installGuard(inside);
    });
    await admin.unsafe(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  });
}
