import type { Run } from "#app/(console)/runs/queries.ts";
import type { CsvColumn } from "#components/table/csv.ts";

/** What an export of runs has. */
export const csvColumns: readonly CsvColumn<Run>[] = [
  { header: "Id", value: ({ id }) => id },
  { header: "Name", value: ({ name }) => name },
  { header: "Service", value: ({ serviceId }) => serviceId },
  { header: "Operation", value: ({ operationId }) => operationId },
  { header: "Project", value: ({ projectId }) => projectId },
  { header: "End user", value: ({ endUser }) => endUser },
  { header: "Tags", value: ({ tags }) => tags.join(", ") },
  { header: "Status", value: ({ status }) => status },
  { header: "Error", value: ({ error }) => error?.code },
  { header: "Failed step", value: ({ error }) => error?.step },
  { header: "Message", value: ({ error }) => error?.message },
  { header: "Credits", value: ({ chargedCredits }) => chargedCredits },
  { header: "Created", value: ({ createdAt }) => createdAt },
  { header: "Started", value: ({ startedAt }) => startedAt },
  { header: "Finished", value: ({ finishedAt }) => finishedAt },
];
