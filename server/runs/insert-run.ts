import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { runs, runTimeline } from "#db/schema/runs.ts";
import type { Charge } from "#server/credits/charge.ts";
import { holdCredits } from "#server/credits/hold-credits.ts";
import { defined } from "#server/defined.ts";
import { toUuid, uuidOf } from "#server/ids.ts";
import { initiatorOf } from "#server/members/initiator.ts";
import { ApiError } from "#server/operation/errors.ts";
import { holdVersion, type PinnedVersion } from "#server/workflows/queries.ts";
import { refuseLiveRuns } from "./live-runs.ts";
import { type RunRow, type RunView, theRun, toRun } from "./queries.ts";

/** What is held outlives the run by this: its end settles it, not the hold's own expiry. */
export const HOLD_MARGIN_SECONDS = 3600;

type Own = "id" | "serviceId" | "operationId" | "projectId" | "endUserId" | "privacyTier" | "connectionId";

/** A run in the making. */
export interface NewRun
  extends Pick<RunRow, Own | "input" | "maxAttempts">,
    Partial<Pick<RunRow, "retryOf" | "parentId" | "depth" | "keepsEvents">> {
  /** What it is about; kept short, and not where the privacy tier seals it. */
  name: string | undefined;
  /** The stored workflow that it runs; null for any other. */
  workflow: PinnedVersion | null;
  /** The time of a trigger that it is for. */
  trigger?: { triggerId: string; at: Date } | null;
  /** When it starts; at once by default, and where that has passed. */
  startsAt?: Date | null;
  charge: Charge;
  expiresInSeconds: number;
  /** Above 0, its first worker looks into its journal for what was done before it began. */
  fence?: number;
}

/** Queues a run and holds its price from the account that is charged; of one that starts later, when it does. */
export async function insertRun(
  tx: Transaction,
  { charge, expiresInSeconds, name, workflow, trigger, startsAt = null, ...run }: NewRun,
): Promise<RunView> {
  const { caller, credits, requestId, selectors } = charge;
  const { accountId } = caller;
  const account = uuidOf("account", accountId);
  const uuid = toUuid("run", run.id);
  const start = startsAt
    ? sql`greatest(${startsAt.toISOString()}::timestamptz, clock_timestamp())`
    : sql`clock_timestamp()`;
  const parent = run.depth && run.parentId ? await holdParent(tx, accountId, run.parentId) : null;
  if (workflow) await holdVersion(tx, accountId, workflow);
  // Sent together: the transaction is open for one round trip more.
  const [, rows, , timeline] = await Promise.all([
    startsAt ? null : refuseLiveRuns(tx, caller, selectors),
    tx
      .insert(runs)
      .values({
        ...run,
        name: run.privacyTier === "strict" ? null : shortName(name),
        workflowId: workflow?.id,
        workflowName: workflow?.name,
        workflowVersion: workflow?.version,
        triggerId: trigger?.triggerId,
        scheduledAt: trigger?.at,
        startsAt,
        delayedUntil: startsAt,
        accountId,
        requestId,
        status: "queued",
        ...initiatorOf(caller),
        heldCredits: startsAt ? 0 : credits,
        expiresAt: sql`least(${start} + ${expiresInSeconds} * interval '1 second', ${parent?.expiresAt.toISOString() ?? null}::timestamptz)`,
      })
      .returning(),
    tx.execute(sql`select queue_run(${account}, ${uuid})`),
    tx
      .select()
      .from(runTimeline)
      .where(and(eq(runTimeline.accountId, accountId), eq(runTimeline.runId, run.id))),
    !startsAt && credits > 0 && holdCredits(tx, uuid, charge, expiresInSeconds + HOLD_MARGIN_SECONDS),
  ]);
  return toRun(defined(rows[0]), {
    timeline,
    artifactIds: [],
    endUser: caller.endUser?.externalId ?? null,
  });
}

/** Lets the run that waits for the new one not end before that is there: its end cancels those below it. */
async function holdParent(
  tx: Transaction,
  accountId: string,
  parentId: string,
): Promise<{ expiresAt: Date }> {
  const [parent] = await tx
    .select({ expiresAt: runs.expiresAt })
    .from(runs)
    .where(and(theRun(accountId, parentId), isNull(runs.finishedAt), ne(runs.status, "cancelling")))
    .for("share");
  if (!parent) throw new ApiError("state_conflict", `Run ${parentId}, which would wait for it, has ended.`);
  return parent;
}

const NAME_CHARACTERS = 200;

/** The first line, shortened. */
function shortName(name: string | undefined): string | null {
  const line = name?.trim().split("\n", 1)[0]?.trim();
  return line ? line.slice(0, NAME_CHARACTERS).toWellFormed() : null;
}
