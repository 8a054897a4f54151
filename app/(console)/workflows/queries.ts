import { statuses } from "#app/(console)/runs/queries.ts";
import { defineList, oneOf, period, search } from "#components/table/list.ts";

export const workflowList = defineList(
  "workflow-runs",
  { search, status: oneOf("Status", statuses), ...period },
  ["createdAt"],
);

/** Among all runs, those of workflows. */
export const ofWorkflows = { serviceId: "managed-workflows", timeline: "exclude" } as const;
