import { and, isNull, lte, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { notFrozen } from "#db/frozen.ts";
import { runs } from "#db/schema/runs.ts";
import { toUuid } from "#server/base/ids.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { readInitiator } from "#server/members/initiator.ts";
import type { ApiError } from "#server/operation/errors.ts";
import { asApiError, isDatabaseGone, isStatementTimeout } from "#server/operation/faults.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { capabilitiesOf } from "#server/services/capabilities.ts";
import { serviceById } from "#server/services/registry.ts";
import { chargeOfRun } from "./charge-of-run.ts";
import { HOLD_MARGIN_SECONDS } from "./insert-run.ts";
import { refuseLiveRuns } from "./live-runs.ts";
import { isRun, type RunRow } from "./queries.ts";

const BATCH = 100;
/** The delay before a run without a slot or credits is tried again. */
const AGAIN_SECONDS = 5;
/** How long a start waits for a lock. */
const LOCK_MS = 1000;

/**
 * The stages of a run's start: it is due; its credits are held; it is ready; that is committed; or it was refused and
 * has to be postponed.
 */
export type Boundary = "chosen" | "held" | "begun" | "released" | "refused";

/**
 * Starts delayed runs that are due, by the database's clock; returns whether there were any. `reached` lets tests end the
 * process at a boundary.
 */
export async function beginDelayedRuns(
  db: Db,
  reached: (boundary: Boundary) => void = () => {},
): Promise<boolean> {
  const due = await db
    .select({ accountId: runs.accountId, id: runs.id, requestId: runs.requestId })
    .from(runs)
    .where(and(lte(runs.delayedUntil, sql`clock_timestamp()`), notFrozen(runs.accountId)))
    .orderBy(runs.delayedUntil)
    .limit(BATCH);
  /** Why the starts of an account are held up, such as by a locked row; its other runs would wait as long. */
  const heldUp = new Map<string, ApiError>();
  for (const { accountId, id, requestId } of due) {
    const known = heldUp.get(accountId);
    if (known) {
      await postpone(db, { accountId, id }, known);
      continue;
    }
    reached("chosen");
    await db
      .transaction((tx) => begin(tx, { accountId, id }, reached))
      .catch((error) => {
        reached("refused");
        const isHeldUp = isStatementTimeout(error);
        if (isDatabaseGone(error) && !isHeldUp) throw error;
        const refusal = asApiError(error, requestId);
        if (isHeldUp) heldUp.set(accountId, refusal);
        return postpone(db, { accountId, id }, refusal);
      });
    reached("released");
    publishChange(db, accountId, "runs");
  }
  return due.length > 0;
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

/** Postpones a run whose start was refused for now. */
async function postpone(db: Db, { accountId, id }: Which, error: ApiError): Promise<void> {
  await db.execute(sql`
    select postpone_run(${toUuid("account", accountId)}, ${toUuid("run", id)}, ${error.code}, ${`It waits: ${error.message}`},
      ${AGAIN_SECONDS})`);
}
