import { statuses } from "#app/(console)/runs/queries.ts";
import { defineList, endUser, oneOf, period, search } from "#components/table/list.ts";

/** The list of workflows' runs. */
export const workflowList = defineList(
  "workflow-runs",
  { search, status: oneOf("Status", statuses), endUser, ...period },
  ["createdAt"],
).asking((query) => ({
  ...query,
  total: "include" as const,
  serviceId: "managed-workflows",
  timeline: "exclude" as const,
}));
