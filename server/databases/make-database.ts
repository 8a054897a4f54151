import postgres from "postgres";
import { platform } from "#server/platform.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import { DATABASE_LIMITS } from "./schema.ts";
import { ensureTemplate, TEMPLATE } from "./template.ts";

const DUPLICATES = new Set(["42710", "42P04", "23505"]);

/** An object in another database depends on the role. */
const DEPENDED_ON = "2BP01";

/** Ignores that another process, or an earlier attempt, was first. */
function unlessThere(reason: unknown): void {
  if (!(reason instanceof postgres.PostgresError && DUPLICATES.has(reason.code))) throw reason;
}

/**
 * Creates the role and the database of a row; repeating it changes nothing. The role owns neither its database nor its
 * schema, so that it cannot lock the platform out.
 */
export async function makeDatabase({ cluster, database, login }: Tenant): Promise<void> {
  const { tenants } = platform();
  await ensureTemplate(tenants, cluster);
  const admin = tenants.admin(cluster);
  const { role, password } = login;
  await admin
    .unsafe(
      `create role ${role} login noinherit nosuperuser nocreatedb nocreaterole noreplication connection limit ${4 * DATABASE_LIMITS.connections} password '${password}'`,
    )
    .catch(unlessThere);
  await admin.unsafe(`create database ${database} template ${TEMPLATE}`).catch(unlessThere);
  // Serialised: PostgreSQL refuses concurrent changes of privileges.
  const lock = `select pg_advisory_xact_lock(hashtext('${role}'))`;
  await admin.unsafe(
    `${lock}; revoke all on database ${database} from public; grant connect on database ${database} to ${role}`,
  );
  await tenants.inside(cluster, database, (sql) =>
    sql.unsafe(`${lock}; grant usage, create on schema public to ${role}`),
  );
}

/** Drops the database and the role, if they exist. */
export async function dropDatabase({ cluster, database, login }: Tenant): Promise<void> {
  const { tenants } = platform();
  await tenants.disconnect({ cluster, database });
  const admin = tenants.admin(cluster);
  await admin.unsafe(`drop database if exists ${database} with (force)`);
  await admin.unsafe(`drop role if exists ${login.role}`).catch((reason) => {
    // Another tenant has granted it privileges. Without its database and its password the role is useless.
    if (!(reason instanceof postgres.PostgresError && reason.code === DEPENDED_ON)) throw reason;
    return admin.unsafe(`alter role ${login.role} nologin password null`);
  });
}
