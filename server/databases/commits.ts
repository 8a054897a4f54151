import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { databaseCommits } from "#db/schema/databases.ts";
import { ApiError } from "#server/operation/errors.ts";
import { parseExactly } from "#server/operation/exact-numbers.ts";
import { openFor, sealFor } from "#server/operation/seal.ts";
import { platform } from "#server/platform.ts";
import type { Tenant } from "#server/providers/tenants/sessions.ts";
import { databaseUnavailable } from "./sql-faults.ts";

/** A call whose effect lies in the account's database. `callerId` is a UUID. */
export interface TenantCall {
  accountId: string;
  callerId: string;
  key: string;
  /** SHA-256 of what was sent. */
  fingerprint: Uint8Array;
}

const context = ({ accountId, callerId, key }: TenantCall) =>
  `database-commit/${accountId}/${callerId}/${key}`;

const isCall = ({ accountId, callerId, key }: TenantCall) =>
  and(
    eq(databaseCommits.accountId, accountId),
    eq(databaseCommits.callerId, callerId),
    eq(databaseCommits.key, key),
  );

/** Records, before the tenant's transaction commits, which one it is and what the call then answers. */
export async function recordCommit(
  tx: Transaction,
  call: TenantCall,
  { database }: Tenant,
  transactionId: string,
  answer: unknown,
): Promise<void> {
  const plain = new TextEncoder().encode(JSON.stringify(answer));
  const sealed = sealFor(platform().settings.sealingKeys, context(call), plain);
  await tx.insert(databaseCommits).values({ ...call, name: database, transactionId, answer: sealed });
}

/**
 * What an earlier attempt of this call came to: its answer where it was committed, else null, and the call may be
 * made. The cluster knows by the transaction's id; nothing that the tenant can reach has a say.
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

/** Forgets the commit in the transaction that stores the call's answer for good. */
export async function forgetCommit(tx: Transaction, call: TenantCall): Promise<void> {
  await tx.delete(databaseCommits).where(isCall(call));
}

/** How long the cluster's standby may take; less than a call may. */
const PIN_MS = 4000;

/**
 * Has the cluster's log on disk up to here, and at its synchronous standbys, with what the open transaction has written so
 * far. Before that a crash or a failover could give its id to another transaction, whose outcome would then be taken
 * for this one's. A commit waits for both, and with it for all that stands before it.
 */
export async function pinTransaction({ cluster }: Tenant): Promise<void> {
  const pinned = platform().tenants.pin(cluster);
  const isLate = await Promise.race([pinned.then(() => false), sleep(PIN_MS, true, { ref: false })]);
  if (isLate) throw databaseUnavailable(new Error("The cluster's standby does not confirm what is written."));
}

const PATIENCE_MS = 3000;

/**
 * Whether the transaction was committed and outlives a failover. Its backend may have been ended while it waited for the
 * standby: then it is committed on the primary alone, until the standby has it too.
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

/** Whether the cluster has the transaction as committed; one that is still open is waited for, since its connection is lost. */
async function isCommitted({ cluster }: Tenant, transactionId: string): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      const [row] = await platform().tenants.admin(cluster)<
        { status: string | null }[]
      >`select pg_xact_status(${transactionId}::xid8) as status`;
      if (row?.status === "committed") return true;
      if (row?.status === "aborted") return false;
      if (row?.status === null) throw inDoubt();
    } catch (reason) {
      if (reason instanceof ApiError) throw reason;
      if (platform().tenants.isSilent(cluster) || Date.now() > deadline) throw inDoubt(reason);
    }
    if (Date.now() > deadline) throw inDoubt();
  }
}

const IN_DOUBT =
  "Whether the actions were applied is not known yet. Repeat the call with the same Idempotency-Key: the answer says so, and nothing is applied twice.";

/** Told where the cluster does not say what became of a transaction, or, with a cause, says nothing. */
function inDoubt(cause?: unknown): ApiError {
  const details = { operationState: "unknown", retryAfterSeconds: 2 } as const;
  if (cause === undefined) return new ApiError("service_timeout", IN_DOUBT, details);
  const unavailable = databaseUnavailable(cause);
  return new ApiError("service_unavailable", `${unavailable.message} ${IN_DOUBT}`, details, { cause });
}

/** Forgets a transaction that was not committed; what another process has recorded of the same call meanwhile stays. */
export async function forgetUncommitted(db: Db, call: TenantCall, transactionId: string): Promise<void> {
  await db.delete(databaseCommits).where(and(isCall(call), eq(databaseCommits.transactionId, transactionId)));
}

/** Forgets commits of calls that can't be repeated any more: their idempotency keys have run out. */
export async function sweepCommits(db: Db): Promise<void> {
  await db.delete(databaseCommits).where(lt(databaseCommits.at, sql`clock_timestamp() - interval '2 days'`));
}
