import { counted, defineList, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import type { StoredWorkflow } from "#server/workflows/stored/schema.ts";
import { WORKFLOW_STATUSES } from "#server/workflows/stored/statuses.ts";

export type Stored = StoredWorkflow;

export const storedList = defineList(
  "workflows",
  { search, status: oneOf("Status", wordsOf(WORKFLOW_STATUSES)), ...period },
  ["createdAt"],
).asking(counted);

/** Returns the query for the runs of a version, newest first. */
export const runsOfVersion = (workflowId: string, workflowVersion: number) => ({
  workflowId,
  workflowVersion,
  timeline: "exclude" as const,
});
