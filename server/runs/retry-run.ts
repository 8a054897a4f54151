import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { runs, runTimeline } from "#db/schema/runs.ts";
import { approvalOf } from "#server/approvals/queries.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { refuseUnfit } from "#server/connections/queries.ts";
import { questionOf } from "#server/operation/access.ts";
import { type Caller, PRIVACY_TIERS, type PrivacyTier } from "#server/operation/caller.ts";
import { ApiError, invalid, notFound } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { operation } from "#server/operation/operation.ts";
import { toStored } from "#server/operation/payload.ts";
import { refuseDenied } from "#server/operation/refuse-denied.ts";
import { visible } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { connectionOf, usableCapability } from "#server/services/capabilities.ts";
import type { Capability } from "#server/services/service.ts";
import type { PinnedVersion } from "#server/workflows/queries.ts";
import { chargeOfRun } from "./charge-of-run.ts";
import { createRun } from "./create-run.ts";
import { insertRun } from "./insert-run.ts";
import { forgotten, isRun, type RunRow, toRuns } from "./queries.ts";
import { inputOfRetry } from "./retry-input.ts";
import { RetryRun, Run, RunParams } from "./schema.ts";

const EXPIRES_IN_SECONDS = 86_400;

export const retryRun = operation({
  id: "runs.retry",
  method: "POST",
  path: "/runs/{runId}/retry",
  summary: "Retry a run",
  description:
    "Queues another run with the same input, in the caller's name and at today's price; the caller must be allowed to create such a run. From a step on, the answers of the steps before it are taken over: they are neither repeated nor charged again.",
  scope: "runs:write",
  idempotent: true,
  external: true,
  params: RunParams,
  body: RetryRun,
  output: z.object({ run: Run }),
  status: 202,
  errors: [
    "not_found",
    "service_not_allowed",
    "state_conflict",
    "quota_exceeded",
    "insufficient_credits",
    "approval_required",
    "service_unavailable",
  ],
  examples: { body: { fromStep: "steps.letter" } },

  async handler({ params, body, caller, db, request, commit }) {
    const { fromStep } = body;
    const before = await endedRun(db, caller, params.runId);
    const { accountId, serviceId, operationId, connectionId } = before;
    const privacyTier = stricterOf(before.privacyTier, caller.privacyTier);
    const usable = usableCapability("run", serviceId, operationId, {
      connectionId: connectionId ?? undefined,
      input: body.input,
    });
    const input = await inputOfRetry(before, body, usable);
    // An approval is consumed by one run.
    approvalOf(usable, { serviceId, input, approvalId: undefined });
    const workflow = await versionOfRetry(before, body, input, usable);
    const keepsEvents = (await usable.keepsEvents?.(input, accountId, workflow)) ?? false;
    const used = connectionOf(usable, { connectionId: connectionId ?? undefined, input });
    if (used !== undefined) await refuseUnfit(db, caller, used, usable.address);
    if (fromStep !== undefined) await refuseUnreached(db, before, fromStep);
    if (fromStep !== undefined && privacyTier === "strict")
      throw new ApiError(
        "state_conflict",
        `The steps of run ${before.id} are not sealed, as the key's privacy tier asks. Retry it without fromStep.`,
      );
    const id = newId("run");
    const output = await commit(async (tx) => {
      // Locked, so that content which is being purged is not taken over.
      const [kept] = await tx
        .select({ input: runs.input, forgottenAt: runs.forgottenAt })
        .from(runs)
        .where(isRun(accountId, before.id))
        .for("update");
      if (!kept?.input && body.input === undefined) throw forgotten({ ...before, ...kept });
      await insertRun(tx, {
        id,
        serviceId,
        operationId,
        connectionId,
        privacyTier,
        projectId: before.projectId,
        endUserId: before.endUserId,
        retryOf: before.id,
        parentId: request.runId,
        workflow,
        keepsEvents,
        name: nameOf(usable, input),
        maxAttempts: before.maxAttempts,
        tags: before.tags,
        priority: before.priority,
        concurrency: before.concurrency,
        input: toStored({ id, privacyTier }, "input", input),
        expiresInSeconds: EXPIRES_IN_SECONDS,
        fence: fromStep === undefined ? 0 : 1,
        ...(fromStep !== undefined && { takenOver: { from: before.id, step: fromStep } }),
        charge: chargeOfRun(usable, { caller, serviceId, operationId, requestId: request.id }),
      });
      const [run] = await toRuns(tx, await tx.select().from(runs).where(isRun(accountId, id)));
      return { run: defined(run) };
    });
    platform().wakeUps.send("runs");
    return output;
  },
});

/** Returns the run to retry: it has ended, and the caller sees it and may create such a run. */
async function endedRun(db: Db, caller: Caller, runId: string): Promise<RunRow> {
  const mine = and(visible(runs, caller), isRun(caller.accountId, runId));
  const [run] = await db.select().from(runs).where(mine);
  if (!run) throw notFound("run", runId);
  await refuseCreating(db, caller, run);
  if (run.finishedAt) return run;
  throw new ApiError("state_conflict", `Run ${run.id} is ${run.status}. Cancel it first.`);
}

/** Refuses a key that may not create such a run: a retry must not bypass the boundary of `runs.create`. */
async function refuseCreating(db: Db, caller: Caller, { serviceId, operationId }: RunRow): Promise<void> {
  const question = questionOf(createRun, { serviceId, operationId }, platform().registrations);
  await refuseDenied(db, caller, question);
}

async function refuseUnreached(db: Db, { accountId, id }: RunRow, fromStep: string): Promise<void> {
  const [entry] = await db
    .select({ seq: runTimeline.seq })
    .from(runTimeline)
    .where(
      and(eq(runTimeline.accountId, accountId), eq(runTimeline.runId, id), eq(runTimeline.step, fromStep)),
    )
    .limit(1);
  if (!entry)
    throw invalid(
      "body.fromStep",
      `Run ${id} has not reached a step "${fromStep}". Name a step of its timeline.`,
    );
}

/** Returns the stricter tier: content that is kept for a day must not be kept longer by a retry. */
function stricterOf(...tiers: [PrivacyTier, PrivacyTier]): PrivacyTier {
  return defined(PRIVACY_TIERS.findLast((tier) => tiers.includes(tier)));
}

/** Returns the version of the stored workflow that the retry runs: the one of the earlier run, or the requested one. */
async function versionOfRetry(
  before: RunRow,
  { fromStep, input: sent, workflowVersion }: z.output<typeof RetryRun>,
  input: unknown,
  capability: Capability,
): Promise<PinnedVersion | null> {
  const { accountId, workflowId: id, workflowName: name, workflowVersion: version } = before;
  const kept = id && name && version ? { id, name, version } : null;
  if (sent === undefined && workflowVersion === undefined) return kept;
  const where = sent === undefined ? "body.workflowVersion" : "body.input";
  const pinned = (await capability.pin?.(input, before, where)) ?? null;
  if (fromStep === undefined || !kept || !pinned) return pinned;
  const issues = (await capability.compareVersions?.(accountId, kept, pinned, fromStep)) ?? [];
  if (issues.length > 0)
    throw invalidRequest(
      issues.map(({ path, message }) => ({ path: where, message: `${path}: ${message}` })),
    );
  return pinned;
}

/** Returns the run's short name; undefined if its operation now takes another input. */
function nameOf(capability: Capability, input: unknown): string | undefined {
  const parsed = capability.input.safeParse(input);
  return parsed.success ? capability.nameOf?.(parsed.data) : undefined;
}
