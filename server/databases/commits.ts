import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { databaseCommits, tenantDatabases } from "#db/schema/databases.ts";
import { ApiError } from "#server/operation/errors.ts";
import { parseExactly } from "#server/operation/exact-numbers.ts";
import { ComponentLost } from "#server/operation/faults.ts";
import { openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";
import type { Tenant } from "#server/providers/tenants/cluster.ts";
import { DatabaseLeft, databaseUnavailable } from "./sql-faults.ts";

/** A call with an effect in the account's database. `callerId` is a UUID. */
export interface TenantCall {
  accountId: string;
  callerId: string;
  key: string;
  /** SHA-256 of the request. */
  fingerprint: Uint8Array;
}

/** How long a transaction whose connection is lost may take to end. */
const PATIENCE_MS = 3000;

const context = ({ accountId, callerId, key }: TenantCall) =>
  `database-commit/${accountId}/${callerId}/${key}`;

const isCall = ({ accountId, callerId, key }: TenantCall) =>
  and(
    eq(databaseCommits.accountId, accountId),
    eq(databaseCommits.callerId, callerId),
    eq(databaseCommits.key, key),
  );

/**
 * Refuses the commit of a tenant's transaction, which must have its id, if the database is being removed. A removal that
 * begins after this transaction ends the tenant's one if that is still open: see `endWriters`.
 */
export async function allowCommit(tx: Transaction, { database }: Tenant): Promise<void> {
  const [row] = await tx
    .select({ status: tenantDatabases.status })
    .from(tenantDatabases)
    .where(eq(tenantDatabases.name, database))
    .for("share");
  if (row?.status !== "ready") throw new DatabaseLeft();
}

/**
 * Ends the open transactions of a database that was taken out of use: those that may commit have an id by now. What is
 * read afterwards is all that was ever committed.
 */
export async function endWriters({ cluster, database, login }: Tenant): Promise<void> {
  const [row] = await platform().tenants.admin(cluster)<{ ended: boolean | null }[]>`
    select bool_and(pg_terminate_backend(pid, ${PATIENCE_MS})) as ended from pg_stat_activity
    where datname = ${database} and usename = ${login.role} and backend_xid is not null`;
  if (row?.ended === false) throw databaseUnavailable(new Error("A tenant's transaction does not end."));
}

/** Stores, before the tenant's transaction commits, its id and the call's response. */
export async function recordCommit(
  tx: Transaction,
  call: TenantCall,
  tenant: Tenant,
  transactionId: string,
  answer: unknown,
): Promise<void> {
  await allowCommit(tx, tenant);
  const plain = new TextEncoder().encode(JSON.stringify(answer));
  const sealed = sealFor(platform().settings.sealingKeys, context(call), plain);
  await tx.insert(databaseCommits).values({ ...call, name: tenant.database, transactionId, answer: sealed });
}

/**
 * Returns the response of an earlier attempt at this call, if that was committed; else null, and the call may be made.
 * The cluster knows by the transaction's id, which the tenant cannot influence.
 */
export async function settleCommit(db: Db, call: TenantCall, tenant: Tenant): Promise<unknown> {
  const [earlier] = await db.select().from(databaseCommits).where(isCall(call));
  if (!earlier) return null;
  if (!Buffer.from(earlier.fingerprint).equals(call.fingerprint)) {
    const text = `The Idempotency-Key ${call.key} was used with other input. Send a new key for a new call.`;
    throw new ApiError("idempotency_key_reused", text);
  }
  const committed = earlier.name === tenant.database && (await wasCommitted(tenant, earlier.transactionId));
  if (!committed) {
    await forgetUncommitted(db, call, earlier.transactionId);
    return null;
  }
  const plain = openFor(platform().settings.sealingKeys, context(call), earlier.answer);
  if (!plain) throw new Error("The answer of a committed call was sealed under another SEALING_KEY.");
  return parseExactly(new TextDecoder().decode(plain));
}

/** Deletes the record in the transaction that stores the call's response for good. */
export async function forgetCommit(tx: Transaction, call: TenantCall): Promise<void> {
  await tx.delete(databaseCommits).where(isCall(call));
}

/** The time limit for the cluster's standby; less than that of a call. */
const PIN_MS = 4000;

/**
 * Flushes the cluster's log, with the open transaction's writes so far, to disk and to its synchronous standbys.
 * Otherwise a crash or a failover could give the transaction's id to another one, whose outcome would be taken for this
 * one's.
 */
export async function pinTransaction({ cluster }: Tenant): Promise<void> {
  const pinned = platform().tenants.pin(cluster);
  const isLate = await Promise.race([pinned.then(() => false), sleep(PIN_MS, true, { ref: false })]);
  if (isLate) throw databaseUnavailable(new Error("The cluster's standby does not confirm the write."));
}

/**
 * True if the transaction was committed and will survive a failover. Its backend may have been ended while it waited
 * for the standby: then it is committed on the primary only, until the standby has it too.
 */
export async function wasCommitted(tenant: Tenant, transactionId: string): Promise<boolean> {
  if (!(await isCommitted(tenant, transactionId))) return false;
  try {
    await pinTransaction(tenant);
  } catch (reason) {
    throw inDoubt(reason);
  }
  return true;
}

/** True if the cluster has committed the transaction; waits while it is still open, since its connection is lost. */
async function isCommitted({ cluster }: Tenant, transactionId: string): Promise<boolean> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      const [row] = await platform().tenants.admin(cluster)<
        { status: string | null }[]
      >`select pg_xact_status(${transactionId}::xid8) as status`;
      if (row?.status === "committed") return true;
      if (row?.status === "aborted") return false;
      if (row?.status === null) throw inDoubt();
    } catch (reason) {
      if (reason instanceof ApiError) throw reason;
      if (platform().tenants.isSilent(cluster) || performance.now() > deadline) throw inDoubt(reason);
    }
    if (performance.now() > deadline) throw inDoubt();
  }
}

const IN_DOUBT =
  "Whether the actions were applied is not known yet. Repeat the call with the same Idempotency-Key: the answer says so, and nothing is applied twice.";

/** Returns the error for an unknown outcome; `cause` is set if the cluster did not respond. */
function inDoubt(cause?: unknown): ApiError {
  const details = { operationState: "unknown", retryAfterSeconds: 2 } as const;
  if (cause === undefined) return new ApiError("service_timeout", IN_DOUBT, details);
  const unavailable = databaseUnavailable(cause);
  return new ComponentLost(`${unavailable.message} ${IN_DOUBT}`, details, cause);
}

/** Deletes the record of an uncommitted transaction; the record of another process for the same call stays. */
export async function forgetUncommitted(db: Db, call: TenantCall, transactionId: string): Promise<void> {
  await db.delete(databaseCommits).where(and(isCall(call), eq(databaseCommits.transactionId, transactionId)));
}

/** Deletes records of calls that can no longer be repeated: their idempotency keys have expired. */
export async function sweepCommits(db: Db): Promise<void> {
  await db.delete(databaseCommits).where(lt(databaseCommits.at, sql`clock_timestamp() - interval '2 days'`));
}
