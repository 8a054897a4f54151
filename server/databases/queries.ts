import { eq, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { preparedBy } from "#db/prepared.ts";
import { tenantDatabases } from "#db/schema/databases.ts";
import { batched } from "#server/base/batch.ts";
import { currentMs } from "#server/base/clock.ts";
import { uuidOf } from "#server/base/ids.ts";
import { span } from "#server/base/telemetry.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { ComponentLost, isConnectionLost } from "#server/operation/faults.ts";
import { openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import { NoRoom } from "#server/providers/tenants/growth.ts";
import { HeldBack, RoleLocked } from "#server/providers/tenants/login.ts";
import { ClusterFull, TooManyStatements } from "#server/providers/tenants/pools.ts";
import { ConnectionEnded, MessageTooLarge, type TenantSession } from "#server/providers/tenants/sessions.ts";
import type { TransactionOptions } from "#server/providers/tenants/transactions.ts";
import { PastDeadline } from "#server/providers/tenants/watch.ts";
import { Obstruction } from "#server/providers/tenants/watchdog.ts";
import { resultTurn } from "./result-turns.ts";
import { DATABASE_LIMITS } from "./schema.ts";
import {
  clusterFault,
  DatabaseLeft,
  databaseFull,
  databaseUnavailable,
  endedItself,
  rowTooLarge,
  sqlFault,
} from "./sql-faults.ts";

export type DatabaseRow = typeof tenantDatabases.$inferSelect;

/** The database belongs to the whole account: keys bound to a part of it cannot use it. */
export function refuseBound(caller: Caller): void {
  const what = caller.project?.bound ? "a project" : caller.endUser?.bound ? "an end user" : null;
  if (what)
    throw new ApiError(
      "project_not_allowed",
      `The key is bound to ${what}; the database belongs to the account.`,
    );
}

/** Responds 503 if no cluster for accounts' databases is configured. */
export function refuseUnconfigured(): void {
  if (platform().tenants.clusters.length === 0)
    throw new ApiError(
      "service_unavailable",
      "No cluster for managed databases is set: MANAGED_DATABASE_URLS.",
    );
}

const rowsQuery = preparedBy((db: Db | Transaction, _shape: null) =>
  db
    .select()
    .from(tenantDatabases)
    .where(sql`${tenantDatabases.accountId} = any(${sql.placeholder("accounts")}::uuid[])`)
    .prepare("databases.find"),
);

/** Concurrent calls share one read. */
const findRow = preparedBy((db: Db | Transaction, _shape: null) =>
  batched<string, DatabaseRow | null>(
    async (ids) => {
      const accounts = [...new Set(ids)].map((id) => uuidOf("account", id));
      const rows = await rowsQuery(db, null).execute({ accounts });
      return ids.map((id) => rows.find(({ accountId }) => accountId === id) ?? null);
    },
    { inFlight: 2, size: 256 },
  ),
);

/** Returns the account's database in any state; null before it is provisioned. */
export function findDatabase(db: Db | Transaction, accountId: string): Promise<DatabaseRow | null> {
  return findRow(db, null)(accountId);
}

/** Returns the account's database, ready for statements of this caller. */
export async function readyDatabase(db: Db | Transaction, caller: Caller): Promise<AccountTenant> {
  refuseBound(caller);
  refuseUnconfigured();
  const row = await findDatabase(db, caller.accountId);
  if (row?.status === "ready") return tenantOf(row);
  throw new ApiError(
    "state_conflict",
    row
      ? `The account's database is ${row.status}. Wait until it is ready.`
      : "The account has no database. Provision it first: POST /v1/databases/account.",
  );
}

/** Returns the sealing context of a tenant role's password. */
export const passwordContext = (accountId: string, name: string): string =>
  `tenant-database/${accountId}/${name}`;

/** Seals the password of a tenant's role for its row. */
export function sealPassword(accountId: string, name: string, password: string): Uint8Array {
  return sealFor(
    platform().settings.sealingKeys,
    passwordContext(accountId, name),
    new TextEncoder().encode(password),
  );
}

/** An account's database, with the status of its row when that was read. */
export type AccountTenant = Tenant & Pick<DatabaseRow, "accountId" | "status">;

/** Returns the location and login of a row's database; opens the sealed password. */
export function tenantOf({ accountId, cluster, name, password, status }: DatabaseRow): AccountTenant {
  return {
    accountId,
    cluster,
    database: name,
    status,
    get login() {
      const opened = openFor(platform().settings.sealingKeys, passwordContext(accountId, name), password);
      if (!opened) throw new Error(`The password of ${name} was sealed under another SEALING_KEY.`);
      return { role: name, password: new TextDecoder().decode(opened) };
    },
  };
}

/** Returns the limits of an account's database. */
export function databaseLimits() {
  return { ...DATABASE_LIMITS, maximumBytes: platform().settings.storage.databaseBytes };
}

/** Returns the size of the account's database in bytes; 0 if it has none. */
export async function databaseBytes(db: Db, accountId: string): Promise<number> {
  const row = await findDatabase(db, accountId);
  return row?.status === "ready" ? bytesOf(row) : 0;
}

/** Returns the size of a row's database in bytes, measured by the administrator. */
export async function bytesOf({ cluster, name }: DatabaseRow): Promise<number> {
  const admin = platform().tenants.admin(cluster);
  const [size] = await admin<{ bytes: string }[]>`select pg_database_size(${name})::text as bytes`;
  return Number(size?.bytes);
}

/** Runs work that sends the SQL at this path of the body; converts its errors for the caller. */
export async function faultsAt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    throw sqlFault(reason, path);
  }
}

/** True if the cluster of this database answers and has run since `startedAt` (`performance.now()`). */
async function hasRunSince(startedAt: number, { cluster }: Tenant): Promise<boolean> {
  try {
    const [row] = await platform().tenants.admin(cluster)<{ seconds: number }[]>`
      select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as seconds`;
    return row !== undefined && row.seconds * 1000 > performance.now() - startedAt;
  } catch {
    return false;
  }
}

/** True if another call has begun to remove a database that was ready: dropping it ends its connections. */
async function hasLeft({ database, status }: Tenant & Partial<AccountTenant>): Promise<boolean> {
  if (status !== "ready") return false;
  const [row] = await platform()
    .database.db.select({ status: tenantDatabases.status })
    .from(tenantDatabases)
    .where(eq(tenantDatabases.name, database));
  return row?.status !== "ready";
}

function heldBack(cause: HeldBack): ApiError {
  const until = cause.until.toISOString();
  const text = `A statement of the account's could not be ended, and was killed together with all others of its cluster. The database takes statements again at ${until}.`;
  const retryAfterSeconds = Math.max(1, Math.ceil((cause.until.getTime() - currentMs()) / 1000));
  return new ApiError("service_rate_limited", text, { retryAfterSeconds }, { cause });
}

/** Runs a transaction of the tenant; converts its errors for the caller. */
export async function inTenant<T>(
  tenant: Tenant | AccountTenant,
  options: TransactionOptions,
  work: (session: TenantSession) => Promise<T>,
  end?: (session: TenantSession, result: T) => Promise<unknown>,
): Promise<T> {
  const startedAt = performance.now();
  const turn = "accountId" in tenant ? () => resultTurn(tenant.accountId) : undefined;
  try {
    return await span(
      "managed database",
      () => ({ kind: "client", attributes: { "platform.database.cluster": tenant.cluster } }),
      () => platform().tenants.transaction(tenant, { ...options, ...(turn && { turn }) }, work, end),
    );
  } catch (reason) {
    // A transaction that ended during its commit may be committed.
    const cause = reason instanceof Error ? reason.cause : undefined;
    if (cause instanceof ApiError && cause.operationState === "unknown") throw cause;
    if (reason instanceof PastDeadline) {
      const text = `The statement ran longer than ${options.timeoutMs} ms and was ended. Send a longer \`timeoutMs\`, or make it do less.`;
      throw new ApiError("query_limit_exceeded", text, { sqlState: "57014" }, { cause: reason });
    }
    if (reason instanceof NoRoom) throw databaseFull(reason.bytes, reason);
    if (reason instanceof MessageTooLarge) throw rowTooLarge(reason.bytes, { cause: reason });
    if (reason instanceof TooManyStatements) {
      const text = `All ${DATABASE_LIMITS.connections} connections of the account's database are in use. Send fewer statements at a time.`;
      throw new ApiError("service_rate_limited", text, { retryAfterSeconds: 2 }, { cause: reason });
    }
    if (reason instanceof ClusterFull) {
      const text =
        "All connections of the cluster of managed databases are in use, most of them by other accounts. Send the call again.";
      throw new ComponentLost(text, {}, reason);
    }
    if (reason instanceof RoleLocked) {
      const text =
        "A statement of the account's own is changing its role, and no other can sign in. Send the call again when that has ended.";
      throw new ApiError("state_conflict", text, { operationState: "not_started" }, { cause: reason });
    }
    if (reason instanceof HeldBack) throw heldBack(reason);
    if (reason instanceof Obstruction) {
      const text = `The statement was ended and undone. ${reason.message} Send it without that.`;
      throw new ApiError("query_limit_exceeded", text, {}, { cause: reason });
    }
    if (options.signal.aborted && !(reason instanceof ApiError)) {
      const text = "The client left before the statement had ended; it was ended and undone.";
      throw new ApiError("query_limit_exceeded", text, {}, { cause: reason });
    }
    if ((reason instanceof ConnectionEnded || isConnectionLost(reason)) && (await hasLeft(tenant)))
      throw new DatabaseLeft(reason);
    if (reason instanceof ConnectionEnded)
      throw (await hasRunSince(startedAt, tenant)) ? endedItself(reason) : databaseUnavailable(reason);
    throw clusterFault(reason);
  }
}
