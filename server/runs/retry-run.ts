import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { afterCommit } from "#db/client.ts";
import { runs, runTimeline } from "#db/schema/runs.ts";
import { approvalOf } from "#server/approvals/queries.ts";
import { newId, uuidOf } from "#server/ids.ts";
import { ApiError, invalid, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { fromStored, toStored } from "#server/operation/payload.ts";
import { visible } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { usableCapability } from "#server/services/capabilities.ts";
import { chargeOfRun } from "./create-run.ts";
import { insertRun } from "./insert-run.ts";
import { theRun, toRuns } from "./queries.ts";
import { RetryRun, Run, RunParams } from "./schema.ts";

const EXPIRES_IN_SECONDS = 86_400;

export const retryRun = operation({
  id: "runs.retry",
  method: "POST",
  path: "/runs/{runId}/retry",
  summary: "Retry a run",
  description:
    "Queues another run with the same input, in the caller's name and at today's price. From a step on, what the first one had done before is taken over and not done again.",
  scope: "runs:write",
  idempotent: true,
  surfaces: ["console"],
  params: RunParams,
  body: RetryRun,
  output: z.object({ run: Run }),
  status: 202,
  errors: ["not_found", "state_conflict", "insufficient_credits", "approval_required", "service_unavailable"],
  examples: { body: { fromStep: "steps.letter" } },

  async handler({ params, body: { fromStep }, caller, db, request }) {
    const [before] = await db
      .select()
      .from(runs)
      .where(and(visible(runs, caller), theRun(caller.accountId, params.runId)))
      .for("update");
    if (!before) throw notFound("run", params.runId);
    if (!before.finishedAt)
      throw new ApiError("state_conflict", `Run ${before.id} is ${before.status}. Cancel it first.`);
    if (!before.input)
      throw new ApiError(
        "state_conflict",
        `The input of run ${before.id} is not kept any more, as its privacy tier asks. Start a new run.`,
      );
    const { serviceId, operationId, projectId, endUserId, connectionId, maxAttempts } = before;
    const capability = usableCapability("run", serviceId, operationId, {
      connectionId: connectionId ?? undefined,
    });
    const input = fromStored(before, "input", before.input);
    // An approval is used up by one run.
    approvalOf(capability, { serviceId, input, approvalId: undefined });
    if (fromStep !== undefined) {
      const [entry] = await db
        .select({ seq: runTimeline.seq })
        .from(runTimeline)
        .where(
          and(
            eq(runTimeline.accountId, before.accountId),
            eq(runTimeline.runId, before.id),
            eq(runTimeline.step, fromStep),
          ),
        )
        .limit(1);
      if (!entry) throw invalid("body.fromStep", `Run ${before.id} never came to a step "${fromStep}".`);
    }
    const id = newId("run");
    const { privacyTier } = caller;
    await insertRun(db, {
      id,
      serviceId,
      operationId,
      projectId,
      endUserId,
      connectionId,
      maxAttempts,
      privacyTier,
      input: toStored({ id, privacyTier }, "input", input),
      expiresInSeconds: EXPIRES_IN_SECONDS,
      fence: fromStep === undefined ? 0 : 1,
      charge: chargeOfRun(capability, { caller, serviceId, operationId, requestId: request.id }),
    });
    if (fromStep !== undefined)
      await db.execute(sql`select take_over_steps(${uuidOf("account", before.accountId)}, ${uuidOf("run", before.id)},
        ${uuidOf("run", id)}, ${fromStep}, ${`It goes on from ${fromStep} of ${before.id}.`},
        ${JSON.stringify({ retryOf: before.id, fromStep })}::jsonb)`);
    afterCommit(db, () => platform().wakeUps.send("runs"));
    const [run] = await toRuns(db, await db.select().from(runs).where(theRun(before.accountId, id)));
    return { run: run as NonNullable<typeof run> };
  },
});
