import { and } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { runs } from "#db/schema/runs.ts";
import { refuseForeignService } from "#server/catalogue/queries.ts";
import type { Caller } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { visible } from "#server/operation/tenancy.ts";
import { type RunRow, theRun } from "./queries.ts";

/** The run that the caller names, which it sees, of a service that its keys reach. */
export async function findRun(db: Db, caller: Caller, runId: string): Promise<RunRow> {
  const [row] = await db
    .select()
    .from(runs)
    .where(and(visible(runs, caller), theRun(caller.accountId, runId)));
  if (!row) throw notFound("run", runId);
  await refuseForeignService(db, caller, row.serviceId);
  return row;
}
