import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { runs, runTags, runTimeline } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import type { Charge } from "#server/credits/charge.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { initiatorOf } from "#server/members/initiator.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { quotaExceeded } from "#server/storage/queries.ts";
import { holdVersion, type PinnedVersion } from "#server/workflows/queries.ts";
import { addSlots, dropSlots, fullKeysOf } from "./concurrency.ts";
import { refuseLiveRuns } from "./live-runs.ts";
import { isRun, type RunRow, type RunView, toRun, toRuns } from "./queries.ts";

/** The hold outlives the run by this: the run's end settles it, and not the hold's expiry. */
export const HOLD_MARGIN_SECONDS = 3600;

type Own = "id" | "serviceId" | "operationId" | "projectId" | "endUserId" | "privacyTier" | "connectionId";

/** A run to be inserted. */
export interface NewRun
  extends Pick<RunRow, Own | "input" | "maxAttempts" | "tags" | "priority" | "concurrency">,
    Partial<
      Pick<
        RunRow,
        "retryOf" | "parentId" | "depth" | "keepsEvents" | "debounceSpace" | "debounceKey" | "debouncedSince"
      >
    > {
  /** A short name from its input; not stored on the tier `strict`. */
  name: string | undefined;
  /** The stored workflow that it runs; null for any other. */
  workflow: PinnedVersion | null;
  /** The trigger and the scheduled time that it is started for. */
  trigger?: { triggerId: string; at: Date; depth: number } | null;
  /** When it starts; at once by default or if that time has passed. */
  startsAt?: Date | null;
  charge: Charge;
  expiresInSeconds: number;
  /** The run whose finished steps before `step` it takes over. */
  takenOver?: { from: string; step: string };
  /** If above 0, its first worker reads its journal for the steps that were taken over. */
  fence?: number;
}

/** Inserts a run and holds its price; for a delayed run, the price is held when it starts. */
export async function insertRun(tx: Transaction, run: NewRun): Promise<RunView> {
  const { charge, expiresInSeconds, workflow, startsAt = null } = run;
  const { caller, credits, selectors } = charge;
  const { accountId } = caller;
  const account = uuidOf("account", accountId);
  const uuid = toUuid("run", run.id);
  const parent = run.depth && run.parentId ? await holdParent(tx, accountId, run.parentId) : null;
  if (workflow) await holdVersion(tx, accountId, workflow);
  // Sent together, so that the transaction takes only one more round trip.
  const [, rows, , queued, taken, timeline] = await Promise.all([
    startsAt ? null : refuseLiveRuns(tx, caller, selectors),
    tx
      .insert(runs)
      .values({
        ...columnsOf(run, parent?.expiresAt ?? null),
        status: "queued",
        keptBytes: run.input?.byteLength ?? 0,
      })
      .returning(),
    run.concurrency && addSlots(tx, { accountId, ...run, setsLimits: !run.retryOf }),
    tx.execute<Counted>(sql`select queue_run(${account}, ${uuid}, ${runsBudget()})::text as used`),
    run.takenOver && takeOver(tx, run, run.takenOver),
    tx
      .select()
      .from(runTimeline)
      .where(and(eq(runTimeline.accountId, accountId), eq(runTimeline.runId, run.id))),
    run.tags.length > 0 && tx.insert(runTags).values(tagsOf(run)),
    !startsAt && credits > 0 && holdCredits(tx, uuid, charge, expiresInSeconds + HOLD_MARGIN_SECONDS),
  ]);
  refuseOver(run, queued);
  if (taken) refuseOver(run, taken);
  const fullKeys = await fullKeysOf(tx, accountId, run.concurrency && !startsAt ? [run.id] : []);
  return toRun(defined(rows[0]), {
    timeline,
    artifactIds: [],
    endUser: caller.endUser?.externalId ?? null,
    concurrencyKey: fullKeys.get(run.id) ?? null,
  });
}

/** Replaces the content of a delayed run that has not started, on behalf of the later caller. */
export async function replaceRun(tx: Transaction, run: NewRun): Promise<RunView> {
  const { accountId } = run.charge.caller;
  if (run.workflow) await holdVersion(tx, accountId, run.workflow);
  const [, counted] = await Promise.all([
    tx
      .update(runs)
      .set({
        ...columnsOf(run, null),
        keptBytes: sql`${runs.keptBytes} - octet_length(${runs.input}) + ${run.input?.byteLength ?? 0}::int`,
      })
      .where(isRun(accountId, run.id)),
    tx.execute<Counted>(
      sql`select count_more(${uuidOf("account", accountId)}, ${toUuid("run", run.id)}, ${runsBudget()})::text as used`,
    ),
  ]);
  refuseOver(run, counted);
  await tx.delete(runTags).where(and(eq(runTags.accountId, accountId), eq(runTags.runId, run.id)));
  if (run.tags.length > 0) await tx.insert(runTags).values(tagsOf(run));
  await dropSlots(tx, accountId, run.id);
  if (run.concurrency) await addSlots(tx, { accountId, ...run, setsLimits: true });
  const [replaced] = await toRuns(tx, await tx.select().from(runs).where(isRun(accountId, run.id)));
  return defined(replaced);
}

/** The bytes that the account's runs use, if the budget has no room for another; else null. */
interface Counted extends Record<string, unknown> {
  used: string | null;
}

const runsBudget = () => sql`${platform().settings.storage.runsBytes}::bigint`;

function refuseOver({ input }: NewRun, [counted]: readonly Counted[]): void {
  const used = counted?.used ?? null;
  if (used !== null) throw quotaExceeded("runs", Number(used), input?.byteLength ?? 0);
}

/** Copies the steps that the retried run had finished before a step. */
function takeOver(tx: Transaction, { id, charge }: NewRun, { from, step }: { from: string; step: string }) {
  const { accountId } = charge.caller;
  return tx.execute<Counted>(sql`
    select take_over_steps(${uuidOf("account", accountId)}, ${uuidOf("run", from)}, ${toUuid("run", id)}, ${step},
      ${`It goes on from ${step} of ${from}.`}, ${JSON.stringify({ retryOf: from, fromStep: step })}::jsonb, ${runsBudget()})::text as used`);
}

const tagsOf = ({ id, tags, charge }: NewRun) =>
  tags.map((tag) => ({ accountId: charge.caller.accountId, tag, runId: id }));

/** Returns the row of a new run, which ends by `latestEnd` at the latest. */
function columnsOf(
  { charge, expiresInSeconds, name, workflow, trigger, takenOver: _, startsAt = null, ...run }: NewRun,
  latestEnd: Date | null,
) {
  const { caller, credits, requestId } = charge;
  const { accountId } = caller;
  const start = startsAt
    ? sql`greatest(${startsAt.toISOString()}::timestamptz, clock_timestamp())`
    : sql`clock_timestamp()`;
  return {
    ...run,
    accountId,
    requestId,
    name: run.privacyTier === "strict" ? null : shortName(name),
    workflowId: workflow?.id ?? null,
    workflowName: workflow?.name ?? null,
    workflowVersion: workflow?.version ?? null,
    triggerId: trigger?.triggerId ?? null,
    scheduledAt: trigger?.at ?? null,
    triggerDepth: trigger?.depth ?? depthBefore(accountId, [run.parentId, run.retryOf]),
    startsAt,
    delayedUntil: startsAt,
    ...initiatorOf(caller),
    heldCredits: startsAt ? 0 : credits,
    expiresAt: sql`least(${start} + ${expiresInSeconds} * interval '1 second', ${latestEnd?.toISOString() ?? null}::timestamptz)`,
  };
}

/** Returns the `triggerDepth` of a run that other runs have caused. */
function depthBefore(accountId: string, others: readonly (string | null | undefined)[]): SQL | number {
  const ids = others.flatMap((id) => (id ? [toUuid("run", id)] : []));
  if (ids.length === 0) return 0;
  return sql`coalesce((select max(b.trigger_depth) from ${runs} b
    where b.account_id = ${uuidOf("account", accountId)} and b.id = any(${sql.param(ids)}::uuid[])), 0)`;
}

/** Locks the parent that will wait for the new run, so that it does not end first: its end cancels its children. */
async function holdParent(
  tx: Transaction,
  accountId: string,
  parentId: string,
): Promise<{ expiresAt: Date }> {
  const [parent] = await tx
    .select({ expiresAt: runs.expiresAt })
    .from(runs)
    .where(and(isRun(accountId, parentId), isNull(runs.finishedAt), ne(runs.status, "cancelling")))
    .for("share");
  if (!parent) throw new ApiError("state_conflict", `Run ${parentId}, which would wait for it, has ended.`);
  return parent;
}

const NAME_CHARACTERS = 200;

/** Returns the first line, shortened. */
function shortName(name: string | undefined): string | null {
  const line = name?.trim().split("\n", 1)[0]?.trim();
  return line ? line.slice(0, NAME_CHARACTERS).toWellFormed() : null;
}
