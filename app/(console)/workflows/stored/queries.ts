import { statuses } from "#app/(console)/runs/queries.ts";
import { counted, defineList, endUser, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import type { ListedWorkflow, StoredWorkflow } from "#server/workflows/stored/schema.ts";
import { WORKFLOW_STATUSES } from "#server/workflows/stored/statuses.ts";

export type Stored = StoredWorkflow;
export type Listed = ListedWorkflow;

export const storedList = defineList(
  "workflows",
  { search, status: oneOf("Status", wordsOf(WORKFLOW_STATUSES)), endUser, ...period },
  ["createdAt", "name"],
).asking(counted);

/** The runs of a version of a stored workflow. */
export const versionRunList = defineList(
  "version-runs",
  { search, status: oneOf("Status", statuses), ...period },
  ["createdAt"],
).asking((query) => counted({ ...query, timeline: "exclude" as const }));
