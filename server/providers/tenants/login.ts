import postgres from "postgres";
import type { Administrators } from "./administrators.ts";
import type { Tenant } from "./cluster.ts";
import { type Connection, openConnection } from "./connection.ts";
import { installGuard } from "./guard.ts";
import type { PgType } from "./types.ts";
import { HELD_UNTIL } from "./watchdog.ts";

/** The tenant's role is locked by the tenant's own statement, which is still running. */
export class RoleLocked extends Error {}

/** A statement of the tenant could not be ended; the tenant may send no other until then. */
export class HeldBack extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super(`Held back until ${until.toISOString()}.`);
    this.until = until;
  }
}

interface Cluster {
  administrators: Administrators;
  url(login: Tenant["login"]): string;
  /** Aborted when the cluster falls silent. */
  silence: AbortSignal;
  types: ReadonlyMap<number, PgType>;
}

/** The bounds that a sign-in sets. */
export interface LoginBounds {
  /** Bytes of one message of PostgreSQL's, such as a row. */
  messageBytes: number;
  /** Bytes of a backend's temporary files, if the cluster sets no limit. */
  temporaryBytes: number;
}

const WRONG_PASSWORD = "28P01";
const NOT_AVAILABLE = "55P03";
/** Short, since the role's own statement may hold the lock. */
const LOCK_MS = 250;

const isCode = (reason: unknown, code: string) =>
  reason instanceof postgres.PostgresError && reason.code === code;

const limitOf = ({ temporaryBytes }: LoginBounds) => `${Math.floor(temporaryBytes / 1024)}kB`;

/** Returns the query for whether the role has the platform's settings, and until when it is held back. */
const lookAt = ({ database, login }: Tenant, bounds: LoginBounds) => `
  select shobj_description(r.oid, 'pg_authid') as held, coalesce((
    select array_agg(setting) from pg_db_role_setting s, unnest(s.setconfig) setting
    where s.setrole = r.oid and (s.setdatabase = 0 or s.setdatabase = (select oid from pg_database where datname = '${database}'))),
    '{}') = case current_setting('temp_file_limit') when '-1' then array['temp_file_limit=${limitOf(bounds)}'] else '{}' end as clean
  from pg_roles r where r.rolname = '${login.role}'`;

/** Returns the statements that restore the role, serialised: PostgreSQL refuses concurrent changes of a role. */
const restore = ({ database, login: { role, password } }: Tenant, bounds: LoginBounds) => `
  set local lock_timeout = ${LOCK_MS};
  select pg_advisory_xact_lock(hashtext('${role}'));
  alter role ${role} reset all;
  alter role ${role} in database ${database} reset all;
  do $$ begin
    if current_setting('temp_file_limit') = '-1' then
      alter role ${role} set temp_file_limit = '${limitOf(bounds)}';
    end if;
  end $$;
  alter role ${role} password '${password}'`;

/**
 * Signs in as the tenant. Tenants can change their role's password and settings and so lock themselves out: such
 * changes are undone first. Only if there are any, since a role that its own statement has locked would have to be
 * waited for.
 */
export async function signIn(cluster: Cluster, tenant: Tenant, bounds: LoginBounds): Promise<Connection> {
  const { administrators, types, silence } = cluster;
  const admin = administrators.of(tenant.cluster);
  const open = () => openConnection(cluster.url(tenant.login), types, bounds.messageBytes, silence);
  const [role] = await admin.unsafe<{ held: string | null; clean: boolean }[]>(lookAt(tenant, bounds));
  const until = role?.held?.startsWith(HELD_UNTIL) ? new Date(role.held.slice(HELD_UNTIL.length)) : null;
  if (until && until > new Date()) throw new HeldBack(until);
  if (role && !role.clean)
    await admin.unsafe(restore(tenant, bounds)).catch((reason) => {
      // A role's own settings harm nobody else: the sign-in succeeds, or fails by its password.
      if (!isCode(reason, NOT_AVAILABLE)) throw reason;
    });
  const connection = await open().catch(async (reason) => {
    if (!isCode(reason, WRONG_PASSWORD)) throw reason;
    await admin.unsafe(restore(tenant, bounds)).catch((cause) => {
      throw isCode(cause, NOT_AVAILABLE) ? new RoleLocked("The role is being changed.", { cause }) : cause;
    });
    return open();
  });
  if (!connection.isGuarded) await administrators.inside(tenant.cluster, tenant.database, installGuard);
  return connection;
}
