import { sql } from "drizzle-orm";
import type { Task, TaskList } from "graphile-worker";
import type { Db } from "#db/client.ts";
import { currentMs } from "#server/base/clock.ts";
import { uuidOf } from "#server/base/ids.ts";

const AGAIN_MS = 1000;

/**
 * Tasks that delete or move old data of all accounts, or change their jobs. They wait until no account is frozen: all of
 * them can be late, and a frozen account's data must stay as it is.
 */
const HOUSEKEEPING: ReadonlySet<string> = new Set([
  "sweepOAuth",
  "sweepCredits",
  "sweepIdempotency",
  "sweepBlobs",
  "endAbandonedTransfers",
  "sweepScratch",
  "sweepDatabaseResults",
  "sweepDatabaseCommits",
  "sweepServiceCalls",
  "sweepQuotes",
  "sweepCaps",
  "sweepOutput",
  "sweepSlots",
  "signAuditHeads",
  "eraseRequestDetails",
  "dropOldRuns",
  "dropOldTicks",
  "dropSentEvents",
  "dropOldCallbacks",
  "dropOldDeliveries",
  "moveOldMonths",
  "resumeJobs",
  "dropOldEvents",
]);

/** Returns tasks that postpone the jobs of frozen accounts, and housekeeping while any account is frozen. */
export function exceptFrozen(db: Db, tasks: TaskList): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, task && postponing(db, name, task)]),
  );
}

function postponing(db: Db, name: string, task: NonNullable<TaskList[string]>): Task {
  const run: Task = (payload, helpers) => task(payload as never, helpers);
  return async (payload, helpers) => {
    const account = accountOf(payload);
    if (!account && !HOUSEKEEPING.has(name)) return run(payload, helpers);
    const [row] = await db.execute<{ frozen: boolean }>(
      account
        ? sql`select ${account}::uuid = any(frozen_ids()) as frozen`
        : sql`select frozen_ids() <> '{}' as frozen`,
    );
    if (!row?.frozen) return run(payload, helpers);
    // The schedule brings housekeeping again.
    if (!account) return;
    const { key, max_attempts: maxAttempts, priority } = helpers.job;
    const queueName = await helpers.getQueueName();
    await helpers.addJob(name, payload, {
      runAt: new Date(currentMs() + AGAIN_MS),
      maxAttempts,
      priority,
      ...(key && { jobKey: key }),
      ...(queueName && { queueName }),
    });
  };
}

function accountOf(payload: unknown): string | null {
  const isOwned = typeof payload === "object" && payload !== null && "accountId" in payload;
  return isOwned && typeof payload.accountId === "string" ? uuidOf("account", payload.accountId) : null;
}
