import { and, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { runs } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { refuseForeignService } from "#server/catalogue/queries.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { isRun, toRuns } from "./queries.ts";
import { Run, RunParams } from "./schema.ts";

/** The bytes of a journal that one statement deletes; a worker deletes the rest. */
const BYTES_AT_ONCE = 16 * 1_048_576;

export const forgetRun = operation({
  id: "runs.forget",
  method: "POST",
  path: "/runs/{runId}/forget",
  summary: "Forget a run",
  description:
    "Deletes an ended run's data: input, result, its steps' answers, and its timeline except its states. The run stays, with its status, error and credits, and `forgottenAt` says when it was forgotten; it can be retried only with another input. Frees its bytes in the account's budget of runs. Artifacts stay until they expire. It can't be undone.",
  scope: "runs:write",
  idempotent: true,
  params: RunParams,
  body: z.object({}),
  output: z.object({ run: Run }),
  errors: ["not_found", "service_not_allowed", "state_conflict"],

  async handler({ params, caller, db }) {
    const mine = and(visible(runs, caller), isRun(caller.accountId, params.runId));
    const [before] = await db.select().from(runs).where(mine).for("no key update");
    if (!before) throw notFound("run", params.runId);
    await refuseForeignService(db, caller, before.serviceId);
    if (!before.finishedAt)
      throw new ApiError(
        "state_conflict",
        `Run ${before.id} is ${before.status}. Only a run that has ended can be forgotten; cancel it first.`,
      );
    const { accountId, id } = before;
    await db.execute(sql`select forget_run(${toUuid("account", accountId)}, ${toUuid("run", id)})`);
    const more = await forgetSteps(db, { accountId, id });
    if (more) await enqueueJob(db, { task: "forgetSteps", payload: { accountId, id } });
    const [run] = await toRuns(db, await db.select().from(runs).where(mine));
    return { run: defined(run) };
  },
});

/** Deletes a part of a forgotten run's journal; returns whether more is left. */
async function forgetSteps(db: Db, run: { accountId: string; id: string }): Promise<boolean> {
  const [row] = await db.execute<{ more: boolean }>(sql`
    select forget_steps(${toUuid("account", run.accountId)}, ${toUuid("run", run.id)}, ${BYTES_AT_ONCE}) as more`);
  return defined(row).more;
}

/** Deletes the rest of a forgotten run's journal. */
export async function forgetAllSteps(db: Db, run: { accountId: string; id: string }): Promise<void> {
  while (await forgetSteps(db, run)) {
    // Each part is a transaction of its own.
  }
}
