import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { Count } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";

export const columns: Column<AuditEvent>[] = [
  {
    header: "Operation",
    cell: ({ operation }) => operation,
    csv: [
      { header: "Operation", value: ({ operation }) => operation },
      { header: "Resource", value: ({ resource }) => resource },
    ],
  },
  {
    header: "Outcome",
    plain: true,
    cell: ({ outcome }) => <Status value={outcome} />,
    csv: ({ outcome }) => outcome,
    width: "7rem",
  },
  {
    header: "Response",
    plain: true,
    cell: answerOf,
    csv: [
      { header: "Status", value: ({ status }) => status },
      { header: "Error", value: ({ errorCode }) => errorCode },
    ],
    width: "11rem",
  },
  {
    header: "Who",
    plain: true,
    cell: actorOf,
    csv: [
      { header: "Actor", value: ({ actor }) => actor.id ?? actor.type },
      { header: "Actor's label", value: ({ actor }) => actor.label },
    ],
    width: "7rem",
  },
  {
    header: "Took",
    cell: ({ durationMs }) => `${inDigits(durationMs)} ms`,
    csv: [{ header: "Milliseconds", value: ({ durationMs }) => durationMs }],
    align: "end",
    width: "6rem",
    minor: true,
  },
  {
    header: "Credits",
    cell: ({ chargedCredits }) => (chargedCredits > 0 ? <Count value={chargedCredits} /> : "–"),
    csv: ({ chargedCredits }) => chargedCredits,
    align: "end",
    width: "5rem",
    minor: true,
  },
  {
    header: "When",
    plain: true,
    cell: ({ at }) => <RelativeTime at={at} />,
    csv: [{ header: "At", value: ({ at }) => at }],
    sort: "createdAt",
    kept: true,
    align: "end",
    width: "7rem",
  },
  {
    header: "Request",
    cell: ({ requestId }) => <Copyable value={requestId} />,
    csv: ({ requestId }) => requestId,
    optional: true,
    width: "12rem",
  },
  {
    header: "Project",
    cell: ({ projectId }) => (projectId ? <Copyable value={projectId} /> : "–"),
    csv: ({ projectId }) => projectId,
    optional: true,
    width: "12rem",
  },
  {
    header: "Address",
    plain: true,
    cell: ({ ip }) => ip ?? "–",
    csv: ({ ip }) => ip,
    optional: true,
    width: "8rem",
  },
  idColumn,
];

/** Returns a request's status and error code: `403 scope_missing`. */
export function answerOf({ status, errorCode }: Pick<AuditEvent, "status" | "errorCode">): string {
  return errorCode ? `${status} ${errorCode}` : String(status);
}

/** Shows the actor's name; the name of an erased person is gone. */
export function actorOf({ actor }: Pick<AuditEvent, "actor">): string {
  return actor.label ?? (actor.type === "system" ? "The platform" : "Erased");
}
