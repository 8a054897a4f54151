import { and, asc, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { artifacts } from "#db/schema/artifacts.ts";
import { runs, runTimeline } from "#db/schema/runs.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { refuseForeignService } from "#server/catalogue/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { fromStored } from "#server/operation/payload.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { visible } from "#server/operation/tenancy.ts";
import type { Fence } from "./claim-runs.ts";
import { fullKeysOf } from "./concurrency.ts";
import type { Run } from "./schema.ts";
import { recordCharges } from "./settle-run.ts";

export type RunRow = typeof runs.$inferSelect;
export type RunView = z.input<typeof Run>;

/**
 * Returns rows of one account in their public form, with their artifacts and, unless excluded, their timelines or the
 * first `entries` of these.
 */
export async function toRuns(
  db: Db | Transaction,
  rows: readonly RunRow[],
  { timeline = true, entries: most }: { timeline?: boolean; entries?: number } = {},
): Promise<RunView[]> {
  const accountId = rows[0]?.accountId;
  if (accountId === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const [entries, files, endUsers, fullKeys] = await Promise.all([
    timeline
      ? db
          .select()
          .from(runTimeline)
          .where(
            and(
              eq(runTimeline.accountId, accountId),
              inArray(runTimeline.runId, ids),
              most === undefined ? undefined : lte(runTimeline.seq, most),
            ),
          )
          .orderBy(asc(runTimeline.runId), asc(runTimeline.seq))
      : [],
    db
      .select({ id: artifacts.id, runId: artifacts.runId })
      .from(artifacts)
      .where(and(eq(artifacts.accountId, accountId), inArray(artifacts.runId, ids)))
      .orderBy(asc(artifacts.id)),
    namesOf(
      db,
      accountId,
      rows.flatMap(({ endUserId }) => endUserId ?? []),
    ),
    fullKeysOf(
      db,
      accountId,
      rows.flatMap(({ id, queuedAt }) => (queuedAt ? id : [])),
    ),
  ]);
  const timelines = Map.groupBy(entries, ({ runId }) => runId);
  const artifactsOf = Map.groupBy(files, ({ runId }) => runId);
  return rows.map((row) =>
    toRun(row, {
      timeline: timelines.get(row.id) ?? [],
      artifactIds: (artifactsOf.get(row.id) ?? []).map(({ id }) => id),
      endUser: endUsers.get(row.endUserId ?? "") ?? null,
      concurrencyKey: fullKeys.get(row.id) ?? null,
    }),
  );
}

/** Returns the customer's own ids of end users, by our ids. */
async function namesOf(
  db: Db | Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: endUsers.id, externalId: endUsers.externalId })
    .from(endUsers)
    .where(and(eq(endUsers.accountId, accountId), inArray(endUsers.id, [...ids])));
  return new Map(found.flatMap(({ id, externalId }) => (externalId === null ? [] : [[id, externalId]])));
}

interface Beside {
  timeline: readonly (typeof runTimeline.$inferSelect)[];
  artifactIds: string[];
  endUser: string | null;
  /** The concurrency key without a free slot for the run. */
  concurrencyKey: string | null;
}

/** Returns a row in its public form. */
export function toRun(row: RunRow, { timeline, artifactIds, endUser, concurrencyKey }: Beside): RunView {
  const {
    id,
    serviceId,
    operationId,
    name,
    retryOf,
    parentId,
    workflowId,
    workflowName,
    workflowVersion,
    projectId,
    status,
    error,
    progress,
    attempt,
    maxAttempts,
  } = row;
  return {
    id,
    serviceId,
    operationId,
    name,
    retryOf,
    parentId,
    workflow:
      workflowId && workflowName && workflowVersion
        ? { id: workflowId, name: workflowName, version: workflowVersion }
        : null,
    triggerId: row.triggerId,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    projectId,
    endUser,
    status,
    error,
    progress,
    attempt,
    maxAttempts,
    priority: row.priority,
    concurrency: row.concurrency ?? [],
    waitingFor: concurrencyKey === null ? null : { concurrencyKey },
    tags: row.tags,
    input: fromStored(row, "input", row.input),
    result: fromStored(row, "result", row.result),
    timeline: timeline.map(({ seq, at, type, step, level, message, data }) => ({
      seq,
      type,
      step,
      level,
      message,
      data,
      at: at.toISOString(),
    })),
    artifactIds,
    keptBytes: row.keptBytes,
    forgottenAt: row.forgottenAt?.toISOString() ?? null,
    chargedCredits: row.chargedCredits,
    createdAt: row.createdAt.toISOString(),
    startsAt: row.startsAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    waitsFor: null,
    watchUrl: null,
    watchUrlExpiresAt: null,
  };
}

/** Wakes a run that may wait for the rows of this transaction. */
export async function wakeRun(tx: Transaction, run: { accountId: string; runId: string }): Promise<void> {
  await tx.execute(sql`select wake_run(${uuidOf("account", run.accountId)}, ${uuidOf("run", run.runId)})`);
}

/** Returns the condition for one run. */
export function isRun(accountId: string, runId: string): SQL {
  return allOf(eq(runs.accountId, accountId), eq(runs.id, runId));
}

/** A run by its UUIDs. */
type Which = Pick<Fence, "accountId" | "runId">;

/** Cancels a run within a transaction that has locked no other run; at once if no worker has claimed it. */
export async function requestCancel(tx: Transaction | Db, { accountId, runId }: Which): Promise<void> {
  const changes = await tx.execute<{ ended: boolean }>(sql`
    select r.finished_at is not null as ended from cancel_run(${accountId}, ${runId}) r`);
  if (changes.some(({ ended }) => ended)) await recordCharges(tx as Transaction, [{ accountId, runId }]);
}

/** Cancels a child run; does nothing if it has ended. */
export async function cancelLiveRun(db: Db, which: Which): Promise<void> {
  await db.transaction((tx) => requestCancel(tx, which));
  publishChange(db, idOf("account", which.accountId), "runs");
}

/** Returns the run with this id, if the caller sees it and may use its service. */
export async function findRun(db: Db, caller: Caller, runId: string): Promise<RunRow> {
  const [row] = await db
    .select()
    .from(runs)
    .where(and(visible(runs, caller), isRun(caller.accountId, runId)));
  if (!row) throw notFound("run", runId);
  await refuseForeignService(db, caller, row.serviceId);
  return row;
}

/** Returns the error for a run whose input was deleted. */
export function forgotten({ id, forgottenAt }: Pick<RunRow, "id" | "forgottenAt">): ApiError {
  return new ApiError(
    "state_conflict",
    forgottenAt
      ? `Run ${id} was forgotten at ${forgottenAt.toISOString()}: its input and its steps' answers are gone. Start a new run.`
      : `The input of run ${id} is not kept any more, as its privacy tier asks. Start a new run.`,
  );
}
