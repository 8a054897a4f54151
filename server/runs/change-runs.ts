import { and, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { runs } from "#db/schema/runs.ts";
import type { Caller } from "#server/operation/caller.ts";
import { type CallRequest, operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { cancelRun } from "./cancel-run.ts";
import { forgetRun } from "./forget-run.ts";
import { retryRun } from "./retry-run.ts";
import { BulkResult, BulkRuns } from "./schema.ts";

type Result = z.input<typeof BulkResult>;

export const changeRuns = operation({
  id: "runs.bulk",
  method: "POST",
  path: "/runs/bulk",
  summary: "Retry, cancel or forget many runs",
  description:
    "Changes the runs one after the other, each as its own call of `runs.retry`, `runs.cancel` or `runs.forget`: the key needs that operation, and each counts on its limits. A refusal of one run stops no other.",
  scope: "runs:write",
  idempotent: true,
  external: true,
  body: BulkRuns,
  output: z.object({
    results: z.array(BulkResult).describe("Each one's outcome, in the order of the request."),
  }),

  async handler({ body: { action, runIds, retryFrom }, caller, db, request, effectId, commit }) {
    const failures =
      action === "retry" && retryFrom === "failedStep" ? await failedSteps(db, caller, runIds) : new Map();
    const results: Result[] = [];
    for (const runId of runIds)
      results.push(
        await change(runId, { action, fromStep: failures.get(runId) }, request, `${effectId}:${runId}`),
      );
    return commit(async () => ({ results }));
  },
});

const CHANGES = { retry: retryRun, cancel: cancelRun, forget: forgetRun };

async function change(
  runId: string,
  { action, fromStep }: { action: z.output<typeof BulkRuns>["action"]; fromStep: string | undefined },
  request: CallRequest,
  idempotencyKey: string,
): Promise<Result> {
  const answer = await request.call(
    CHANGES[action],
    { params: { runId }, body: { ...(fromStep && { fromStep }) } },
    idempotencyKey,
  );
  if (answer.error) {
    const { code, message, details } = answer.error;
    const retryAfterSeconds = details.retryAfterSeconds ?? null;
    return { runId, ok: false, newRunId: null, error: { code, message, retryAfterSeconds } };
  }
  const newRunId = action === "retry" ? JSON.parse(answer.body).run.id : null;
  return { runId, ok: true, newRunId, error: null };
}

/** The step in which each of these runs failed. */
async function failedSteps(db: Db, caller: Caller, runIds: readonly string[]): Promise<Map<string, string>> {
  const found = await db
    .select({ id: runs.id, error: runs.error })
    .from(runs)
    .where(and(visible(runs, caller), inArray(runs.id, [...runIds])));
  return new Map(found.flatMap(({ id, error }) => (error?.step ? [[id, error.step]] : [])));
}
