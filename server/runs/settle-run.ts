import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { selectorsOf } from "#server/operation/access.ts";
import type { Caller } from "#server/operation/caller.ts";
import { storable } from "#server/operation/input.ts";
import { toStored } from "#server/operation/payload.ts";
import { type AuditRecord, actorFacts, recordEvent } from "#server/operation/recorder.ts";
import { tellChange } from "#server/operation/tell-change.ts";
import type { ClaimedRun, Fence } from "./claim-runs.ts";

/** How a run ends without a result, on the wire. */
export interface RunError {
  code: string;
  message: string;
  step: string | null;
}

/** How the execution of a run's handler ended. */
export type Outcome =
  | { type: "succeeded"; result: unknown; credits: number; units: number }
  | { type: "ended"; status: "failed" | "cancelled" | "expired"; error: RunError }
  | { type: "retry"; error: RunError; delayMs: number }
  | { type: "suspended"; reason: "wait" | "approval" }
  /** It is another worker's, now or soon. */
  | { type: "left" };

const held = ({ accountId, runId, worker, fence }: Fence): SQL =>
  sql`${accountId}::uuid, ${runId}::uuid, ${worker}, ${fence}::int`;

/** Stores how the execution of a run ended, under its fence. False: the run is to be cancelled, or is another worker's. */
export async function settleRun(db: Db, run: ClaimedRun, outcome: Outcome): Promise<boolean> {
  const change = changeOf(run, outcome);
  if (!change) return true;
  const store = async (on: Db | Transaction) => {
    const stored = (await on.execute(sql`select r.id from ${change} r`)).length > 0;
    tellChange(on, run.accountId, "runs");
    // What it waited for has ended with it.
    if (outcome.type === "ended") tellChange(on, run.accountId, "approvals");
    return stored;
  };
  if (outcome.type === "succeeded" && outcome.credits > 0)
    return db.transaction(async (tx) => {
      const stored = await store(tx);
      if (stored) await recordEvent(tx, chargeEvent(run, outcome.credits));
      return stored;
    });
  return store(db);
}

/** The run's charge in the audit, from which usage is summed up; the ledger has it too. */
function chargeEvent(run: ClaimedRun, chargedCredits: number): AuditRecord {
  const selectors = selectorsOf({ id: "runs.create", dynamicSelectors: true }, run);
  return {
    ...actorFacts(run.caller as Caller, new Date()),
    operation: "runs.settle",
    selector: selectors[0] as string,
    counted: false,
    resource: run.id,
    outcome: "allowed",
    status: 200,
    errorCode: null,
    requestId: run.requestId,
    ip: null,
    userAgent: null,
    durationMs: 0,
    chargedCredits,
    secretVersion: null,
  };
}

/** A handler may throw anything; what PostgreSQL can't store must not keep the run from ending. */
function storedError(error: RunError): string {
  return JSON.stringify({ ...error, message: storable(error.message, 2000) });
}

function changeOf(run: ClaimedRun, outcome: Outcome): SQL | null {
  const fence = held(run.fence);
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
      return null;
  }
}
