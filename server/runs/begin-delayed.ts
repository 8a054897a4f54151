import { and, isNull, lte, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { runs } from "#db/schema/runs.ts";
import { idOf, NIL_UUID, toUuid } from "#server/base/ids.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { readInitiator } from "#server/members/initiator.ts";
import type { ApiError, ErrorCode } from "#server/operation/errors.ts";
import { asApiError, isDatabaseGone, isStatementTimeout } from "#server/operation/faults.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { capabilitiesOf } from "#server/services/capabilities.ts";
import { serviceById } from "#server/services/registry.ts";
import { chargeOfRun } from "./charge-of-run.ts";
import { HOLD_MARGIN_SECONDS } from "./insert-run.ts";
import { refuseLiveRuns } from "./live-runs.ts";
import { isRun, type RunRow } from "./queries.ts";

const BATCH = 100;
/** The delay before a run whose start failed is tried again. */
const AGAIN_SECONDS = 5;
/** How long a start waits for a lock. */
const LOCK_MS = 1000;

/**
 * The stages of a run's start: it is due; its credits are held; it is ready; that is committed; or it was refused and
 * has to be postponed.
 */
export type Boundary = "chosen" | "held" | "begun" | "released" | "refused";

/** A delayed run that is due; ids are UUIDs. */
interface DueRun extends Record<string, unknown> {
  account_id: string;
  id: string;
  request_id: string;
  service_id: string;
  operation_id: string;
  /** The key or member who created it. */
  caller_id: string;
}

/**
 * Returns a function that starts delayed runs that are due by the database's clock, in turn by account, and returns
 * whether there were any. A refusal for a limit or missing credits also postpones the other due runs to which it
 * applies. `reached` lets tests end the process at a boundary.
 */
export function createDelayedStarter(
  db: Db,
  reached: (boundary: Boundary) => void = () => {},
): () => Promise<boolean> {
  let served = NIL_UUID;

  return async () => {
    const due = await db.execute<DueRun>(sql`select * from next_delayed_runs(${served}, ${BATCH})`);
    /** Why the starts of an account are held up, such as by a locked row; its other runs would wait as long. */
    const heldUp = new Map<string, ApiError>();
    /** The groups of runs that are refused alike. */
    const refused = new Set<string>();
    for (const run of due) {
      const known = heldUp.get(run.account_id);
      if (known) {
        await postpone(db, run, known);
        continue;
      }
      // Postponed already, or in one of the next batches.
      if (refused.has(groupOf(run, "account")) || refused.has(groupOf(run, "caller"))) continue;
      const { refusal = null, isHeldUp = false } = await tryBegin(db, run, reached);
      const alike = refusal && REFUSED_ALIKE[refusal.code];
      if (refusal && isHeldUp) heldUp.set(run.account_id, refusal);
      if (alike) {
        refused.add(groupOf(run, alike));
        await postponeAlike(db, run, refusal, alike);
      } else if (refusal) {
        await postpone(db, run, refusal);
      }
      reached("released");
      publishChange(db, idOf("account", run.account_id), "runs");
    }
    served = due.at(-1)?.account_id ?? served;
    return due.length > 0;
  };
}

/** To which runs of the same operation, which have the same price, a refusal applies as well. */
const REFUSED_ALIKE: Partial<Record<ErrorCode, "account" | "caller">> = {
  insufficient_credits: "account",
  limit_exhausted: "caller",
};

const groupOf = ({ account_id, service_id, operation_id, caller_id }: DueRun, of: "account" | "caller") =>
  JSON.stringify([account_id, service_id, operation_id, of === "caller" ? caller_id : null]);

/** Starts a run; returns why it was refused, if it was, and whether because of a lock or a slow database. */
async function tryBegin(
  db: Db,
  { account_id, id, request_id }: DueRun,
  reached: (boundary: Boundary) => void,
): Promise<{ refusal?: ApiError; isHeldUp?: boolean }> {
  const which = { accountId: idOf("account", account_id), id: idOf("run", id) };
  reached("chosen");
  try {
    await db.transaction((tx) => begin(tx, which, reached));
    return {};
  } catch (error) {
    reached("refused");
    const isHeldUp = isStatementTimeout(error);
    if (isDatabaseGone(error) && !isHeldUp) throw error;
    return { refusal: asApiError(error, request_id), isHeldUp };
  }
}

type Which = Pick<RunRow, "accountId" | "id">;

async function begin(
  tx: Transaction,
  { accountId, id }: Which,
  reached: (boundary: Boundary) => void,
): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`);
  const [run] = await tx
    .select()
    .from(runs)
    .where(and(isRun(accountId, id), lte(runs.delayedUntil, sql`clock_timestamp()`), isNull(runs.finishedAt)))
    .for("update", { skipLocked: true });
  if (!run) return;
  const held = await hold(tx, run);
  reached("held");
  await tx.execute(sql`select begin_run(${toUuid("account", accountId)}, ${toUuid("run", id)}, ${held})`);
  reached("begun");
}

/** Holds the run's maximum price on behalf of its creator; nothing if the run is about to fail anyway. */
async function hold(tx: Transaction, run: RunRow): Promise<number> {
  const { serviceId, operationId, requestId } = run;
  const service = serviceById(serviceId);
  const capability = service && capabilitiesOf(service).find(({ id }) => id === operationId);
  const { caller } = await readInitiator(tx, run, "runs:write");
  if (!capability || !caller) return 0;
  const charge = chargeOfRun(capability, { caller, serviceId, operationId, requestId });
  await refuseLiveRuns(tx, caller, charge.selectors);
  if (charge.credits > 0) {
    const seconds = (run.expiresAt.getTime() - (run.startsAt ?? run.createdAt).getTime()) / 1000;
    await holdCredits(tx, toUuid("run", run.id), charge, Math.ceil(seconds) + HOLD_MARGIN_SECONDS);
  }
  return charge.credits;
}

const reasonOf = (error: ApiError) => `It waits: ${error.message}`;

/** Postpones a run whose start was refused for now. */
async function postpone(db: Db, { account_id, id }: DueRun, error: ApiError): Promise<void> {
  await db.execute(sql`
    select postpone_run(${account_id}, ${id}, ${error.code}, ${reasonOf(error)}, ${AGAIN_SECONDS})`);
}

/** Postpones a run whose start was refused, and the due runs of its group. */
async function postponeAlike(
  db: Db,
  run: DueRun,
  error: ApiError,
  alike: "account" | "caller",
): Promise<void> {
  const caller = alike === "caller" ? run.caller_id : null;
  // Any moment a live run may end and make room.
  const isSoon = error.details.limit?.kind === "maxConcurrent";
  await db.execute(sql`
    select postpone_runs(${run.account_id}, ${run.service_id}, ${run.operation_id}, ${caller}::uuid, ${error.code},
      ${reasonOf(error)}, ${isSoon})`);
}
