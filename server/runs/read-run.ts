import { and } from "drizzle-orm";
import { z } from "zod";
import { runs } from "#db/schema/runs.ts";
import { refuseForeignService } from "#server/catalogue/queries.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { theRun, toRuns } from "./queries.ts";
import { Run, RunParams } from "./schema.ts";

export const readRun = operation({
  id: "runs.read",
  method: "GET",
  path: "/runs/{runId}",
  summary: "Read a run",
  description: "With its whole timeline. The run's service must be inside the key's boundary.",
  scope: "runs:read",
  params: RunParams,
  output: z.object({ run: Run }),
  errors: ["not_found", "service_not_allowed"],

  async handler({ params, caller, db }) {
    const [row] = await db
      .select()
      .from(runs)
      .where(and(visible(runs, caller), theRun(caller.accountId, params.runId)));
    if (!row) throw notFound("run", params.runId);
    await refuseForeignService(db, caller, row.serviceId);
    const [run] = await toRuns(db, [row]);
    return { run: run as NonNullable<typeof run> };
  },
});
