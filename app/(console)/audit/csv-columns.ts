import type { CsvColumn } from "#components/table/csv.ts";
import type { AuditEvent } from "#server/audit/schema.ts";

/** What an export of audit events has. */
export const csvColumns: readonly CsvColumn<AuditEvent>[] = [
  { header: "Id", value: ({ id }) => id },
  { header: "At", value: ({ at }) => at },
  { header: "Actor", value: ({ actor }) => actor.id ?? actor.type },
  { header: "Actor's label", value: ({ actor }) => actor.label },
  { header: "Operation", value: ({ operation }) => operation },
  { header: "Resource", value: ({ resource }) => resource },
  { header: "Outcome", value: ({ outcome }) => outcome },
  { header: "Status", value: ({ status }) => status },
  { header: "Error", value: ({ errorCode }) => errorCode },
  { header: "Request", value: ({ requestId }) => requestId },
  { header: "Project", value: ({ projectId }) => projectId },
  { header: "Credits", value: ({ chargedCredits }) => chargedCredits },
  { header: "Milliseconds", value: ({ durationMs }) => durationMs },
];
