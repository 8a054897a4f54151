import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { idOf } from "#server/base/ids.ts";
import { type InitiatorState, toInitiator } from "#server/members/initiator.ts";
import type { Caller, PrivacyTier } from "#server/operation/caller.ts";
import type { ErrorCode } from "#server/operation/errors.ts";
import type { PinnedVersion } from "#server/workflows/queries.ts";
import type { RunUsage } from "./run-context.ts";

/** A worker's claim on a run: its writes take effect as long as nobody else has claimed the run. */
export interface Fence {
  /** UUIDs. */
  accountId: string;
  runId: string;
  worker: string;
  fence: number;
}

/** Returns the fence as the first arguments of the SQL functions by which a worker changes its run. */
export function fenceArguments({ accountId, runId, worker, fence }: Fence): SQL {
  return sql`${accountId}::uuid, ${runId}::uuid, ${worker}, ${fence}::int`;
}

/** A run that a worker has claimed. */
export interface ClaimedRun {
  fence: Fence;
  /** The id on the wire. */
  id: string;
  accountId: string;
  projectId: string | null;
  endUserId: string | null;
  serviceId: string;
  operationId: string;
  input: Uint8Array | null;
  privacyTier: PrivacyTier;
  status: "running" | "cancelling";
  attempt: number;
  maxAttempts: number;
  connectionId: string | null;
  /** The number of ancestor runs, each of which waits for the next. */
  depth: number;
  /** The stored workflow that it runs; null for any other. */
  workflow: PinnedVersion | null;
  heldCredits: number;
  /** Its total usage so far. */
  used: RunUsage;
  requestId: string;
  expiresAt: Date;
  /** Returns the time by the database's clock, in Unix milliseconds. Workers' clocks may differ. */
  now(): number;
  /** The number of lines that its handler has logged. */
  logged: number;
  progress: number;
  crashes: number;
  /** The number of entries in its timeline. */
  entries: number;
  /** The bytes of its stored content. */
  keptBytes: number;
  /** True if it was claimed before, so that there may be a journal. */
  resumed: boolean;
  /** Null if its creator is no longer a member. */
  caller: Caller | null;
  /** Why nothing more may be done on the creator's behalf. */
  refusal: ErrorCode | null;
  /** SHA-256 of the key's secret, in hex; null if a member created it. */
  keyHash: string | null;
}

interface Row extends Record<string, unknown> {
  account_id: string;
  /** Null in the row that says that more runs are ready. */
  id: string | null;
  project_id: string | null;
  end_user_id: string | null;
  service_id: string;
  operation_id: string;
  status: "running" | "cancelling";
  input: Uint8Array | null;
  privacy_tier: PrivacyTier;
  attempt: number;
  max_attempts: number;
  connection_id: string | null;
  depth: number;
  workflow_id: string | null;
  workflow_name: string | null;
  workflow_version: number | null;
  held_credits: string;
  used_credits: string;
  used_units: number;
  request_id: string;
  expires_ms: number;
  now_ms: number;
  logged: number;
  progress: number | null;
  crashes: number;
  last_seq: number;
  kept_bytes: string | null;
  fence: number;
  caller_id: string;
  caller: InitiatorState | null;
}

/** The runs that a worker has claimed and how many more it can claim. */
export interface Capacity {
  worker: string;
  /** The account (UUID) of each claimed run. */
  accounts: readonly string[];
  slots: number;
  perAccount: number;
  /** The account (UUID) that was served last; the accounts after it come first. */
  after: string;
}

/** Claims ready runs, in turn by account. `more`: further runs may be ready. */
export async function claimRuns(
  db: Db,
  capacity: Capacity,
): Promise<{ claimed: ClaimedRun[]; more: boolean }> {
  const { worker, accounts, slots, perAccount, after } = capacity;
  const rows = await db.execute<Row>(sql`
    select r.account_id, r.id, r.project_id, r.end_user_id, r.service_id, r.operation_id, r.status, r.input, r.privacy_tier,
      r.attempt, r.max_attempts, r.connection_id, r.depth, r.workflow_id, r.workflow_name, r.workflow_version, r.held_credits, r.used_credits, r.used_units, r.request_id, r.logged, r.progress, r.crashes, r.last_seq, r.kept_bytes, r.fence,
      r.caller_id, (extract(epoch from r.expires_at) * 1000)::float8 as expires_ms,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, run_caller(r) as caller
    from claim_runs(${worker}, ${sql.param(accounts)}::uuid[], ${slots}, ${perAccount}, ${after}) r`);
  const claimed = rows.flatMap((row) => (row.id === null ? [] : toClaimed({ ...row, id: row.id }, worker)));
  return { claimed, more: claimed.length < rows.length };
}

function workflowOf({ workflow_id: id, workflow_name: name, workflow_version: version }: Row) {
  if (id === null || name === null || version === null) return null;
  return { id: idOf("workflow", id), name, version };
}

function toClaimed(row: Row & { id: string }, worker: string): ClaimedRun {
  const readAt = performance.now();
  return {
    fence: { accountId: row.account_id, runId: row.id, worker, fence: row.fence },
    id: idOf("run", row.id),
    accountId: idOf("account", row.account_id),
    projectId: row.project_id && idOf("project", row.project_id),
    endUserId: row.end_user_id && idOf("endUser", row.end_user_id),
    serviceId: row.service_id,
    operationId: row.operation_id,
    input: row.input,
    privacyTier: row.privacy_tier,
    status: row.status,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    connectionId: row.connection_id && idOf("connection", row.connection_id),
    depth: row.depth,
    workflow: workflowOf(row),
    heldCredits: Number(row.held_credits),
    used: { credits: Number(row.used_credits), units: row.used_units },
    requestId: row.request_id,
    expiresAt: new Date(row.expires_ms),
    now: () => row.now_ms + performance.now() - readAt,
    logged: row.logged,
    progress: row.progress ?? 0,
    crashes: row.crashes,
    entries: row.last_seq,
    keptBytes: Number(row.kept_bytes),
    resumed: row.fence > 1,
    caller:
      row.caller &&
      toInitiator({
        accountId: row.account_id,
        projectId: row.project_id,
        endUserId: row.end_user_id,
        callerId: row.caller_id,
        state: row.caller,
      }),
    refusal: row.caller?.code ?? null,
    keyHash: row.caller?.hash ?? null,
  };
}
