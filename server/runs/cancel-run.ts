import { and } from "drizzle-orm";
import { z } from "zod";
import { runs } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { refuseForeignService } from "#server/catalogue/queries.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { isRun, requestCancel, toRuns } from "./queries.ts";
import { Run, RunParams } from "./schema.ts";

export const cancelRun = operation({
  id: "runs.cancel",
  method: "POST",
  path: "/runs/{runId}/cancel",
  summary: "Cancel a run",
  description:
    "A run that nobody works on is cancelled at once. One under way is `cancelling` until its step ends or is aborted; the last entry of its timeline lists what it had done.",
  scope: "runs:write",
  idempotent: true,
  params: RunParams,
  body: z.object({}),
  output: z.object({ run: Run }),
  status: 202,
  otherStatuses: { 200: "The run was cancelled before." },
  errors: ["not_found", "service_not_allowed", "state_conflict"],

  async handler({ params, caller, db, response }) {
    const mine = and(visible(runs, caller), isRun(caller.accountId, params.runId));
    const [before] = await db.select().from(runs).where(mine).for("update");
    if (!before) throw notFound("run", params.runId);
    await refuseForeignService(db, caller, before.serviceId);
    if (before.status === "cancelled") response.status(200);
    else if (before.finishedAt)
      throw new ApiError(
        "state_conflict",
        `Run ${before.id} has ${before.status}. There is nothing to cancel.`,
      );
    const account = toUuid("account", before.accountId);
    const uuid = toUuid("run", before.id);
    await requestCancel(db, { accountId: account, runId: uuid });
    const [run] = await toRuns(db, await db.select().from(runs).where(mine));
    return { run: defined(run) };
  },
});
