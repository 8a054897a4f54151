import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { idOf } from "#server/base/ids.ts";
import { telemetry } from "#server/base/telemetry.ts";
import { emitBalanceEvents } from "#server/credits/balance-events.ts";
import { settlementEvent } from "#server/credits/settlement-event.ts";
import { selectorsOf } from "#server/operation/access.ts";
import { toStored } from "#server/operation/payload.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { recordSettlement } from "#server/operation/recorder.ts";
import { storable } from "#server/operation/storable.ts";
import { type ClaimedRun, type Fence, fenceArguments } from "./claim-runs.ts";
import type { RunWriter } from "./run-writer.ts";

/** The error of a run that ends without a result, in its public form. */
export interface RunError {
  code: string;
  message: string;
  step: string | null;
}

/** The outcome of one execution of a run's handler. */
export type RunOutcome =
  | { type: "succeeded"; result: unknown; credits: number; units: number }
  | { type: "ended"; status: "failed" | "cancelled" | "expired"; error: RunError }
  | { type: "retry"; error: RunError; delayMs: number }
  | { type: "suspended"; reason: "wait" | "approval" }
  /** Another worker has claimed the run, or will. */
  | { type: "left" }
  /** The database was lost or too slow: the run continues from its journal. */
  | { type: "interrupted" };

/**
 * Stores the outcome of an execution under the run's fence. False: the run has to be cancelled, or another worker has
 * claimed it.
 */
export async function settleRun(
  db: Db,
  writer: RunWriter,
  run: ClaimedRun,
  outcome: RunOutcome,
): Promise<boolean> {
  telemetry.metrics?.runEnded(run.serviceId, outcome.type === "ended" ? outcome.status : outcome.type);
  const change = changeOf(run, outcome);
  if (!change) return true;
  const credits = chargeOf(run, outcome);
  const publish = (on: Db | Transaction) => {
    publishChange(on, run.accountId, "runs");
    // Its pending approvals have ended with it.
    if (outcome.type === "ended") publishChange(on, run.accountId, "approvals");
  };
  if (credits === 0) {
    const stored = (await writer("finish_run", sql`(select r.id from ${change} r)`)) !== null;
    publish(db);
    return stored;
  }
  return db.transaction(async (tx) => {
    const stored = (await tx.execute(sql`select r.id from ${change} r`)).length > 0;
    publish(tx);
    if (stored) await recordCharges(tx, [run.fence]);
    return stored;
  });
}

/** Returns the run's own charge for this outcome. */
function chargeOf({ used, heldCredits }: ClaimedRun, outcome: RunOutcome): number {
  if (outcome.type === "succeeded") return outcome.credits;
  return outcome.type === "ended" ? Math.min(used.credits, heldCredits) : 0;
}

interface Charged extends Record<string, unknown> {
  account_id: string;
  id: string;
  project_id: string | null;
  end_user_id: string | null;
  service_id: string;
  operation_id: string;
  request_id: string;
  caller_type: "key" | "member";
  caller_id: string;
  captured: string;
  /** The account's total after the charge. */
  total: string;
  /** True if the charge took the total below the account's threshold. */
  low: boolean;
}

/**
 * Records the charges of ended runs in the audit, from which usage is computed, and emits the events of balances that
 * became low. Ids are UUIDs.
 */
export async function recordCharges(
  tx: Transaction,
  ended: readonly Pick<Fence, "accountId" | "runId">[],
): Promise<void> {
  const accounts = ended.map(({ accountId }) => accountId);
  const runs = ended.map(({ runId }) => runId);
  const rows = await tx.execute<Charged>(sql`
    select r.account_id, r.id, r.project_id, r.end_user_id, r.service_id, r.operation_id, r.request_id, r.caller_type, r.caller_id,
      h.captured, e.balance_after as total,
      e.balance_after < a.low_threshold and e.balance_after - e.amount >= a.low_threshold as low
    from unnest(${sql.param(accounts)}::uuid[], ${sql.param(runs)}::uuid[]) ended(account_id, id)
    join runs r using (account_id, id)
    join ledger_holds h on h.account_id = r.account_id and h.id = r.id and h.state = 'captured'
    join ledger_transactions t on t.account_id = h.account_id and t.reference = 'hold:' || h.id
    join ledger_entries e on e.account_id = t.account_id and e.transaction_id = t.id and e.book = 'customer'
    join ledger_accounts a on a.account_id = h.account_id and a.book = 'customer'`);
  for (const row of rows) {
    await recordSettlement(tx, chargeEvent(row));
    await emitBalanceEvents(tx, idOf("account", row.account_id), row);
  }
}

function chargeEvent(row: Charged) {
  const run = { serviceId: row.service_id, operationId: row.operation_id };
  const [selector] = selectorsOf({ id: "runs.create", usesServices: "run" }, run);
  return settlementEvent({
    operation: "runs.settle",
    selector,
    accountId: row.account_id,
    actorType: row.caller_type,
    actorId: row.caller_id,
    projectId: row.project_id,
    endUserId: row.end_user_id,
    requestId: row.request_id,
    resource: idOf("run", row.id),
    chargedCredits: Number(row.captured),
  });
}

/** A handler may throw anything; text that PostgreSQL cannot store must not keep the run from ending. */
function storedError(error: RunError): string {
  return JSON.stringify({ ...error, message: storable(error.message, 2000) });
}

function changeOf(run: ClaimedRun, outcome: RunOutcome): SQL | null {
  const fence = fenceArguments(run.fence);
  switch (outcome.type) {
    case "succeeded": {
      const result = toStored(run, "result", outcome.result);
      return sql`finish_run(${fence}, 'succeeded', ${result}, null, ${outcome.credits}::bigint, ${outcome.units}::int)`;
    }
    case "ended":
      return sql`finish_run(${fence}, ${outcome.status}, null, ${storedError(outcome.error)}::jsonb, 0, 0)`;
    case "retry":
      return sql`retry_run(${fence}, ${storedError(outcome.error)}::jsonb, ${outcome.delayMs}::int)`;
    case "suspended":
      return sql`suspend_run(${fence}, ${outcome.reason === "approval"}::boolean)`;
    case "left":
    case "interrupted":
      return null;
  }
}
