import type { Column } from "#components/table/column.ts";
import { Count } from "#components/ui/amount.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";

export const columns: Column<AuditEvent>[] = [
  { header: "Operation", cell: (event) => event.operation },
  { header: "Outcome", plain: true, cell: (event) => <Status value={event.outcome} />, width: "7rem" },
  { header: "Answer", plain: true, cell: (event) => answerOf(event), width: "12rem" },
  { header: "Who", plain: true, cell: actorOf, width: "8rem" },
  {
    header: "Took",
    cell: ({ durationMs }) => `${inDigits(durationMs)} ms`,
    align: "end",
    width: "6rem",
    minor: true,
  },
  {
    header: "Credits",
    cell: ({ chargedCredits }) => (chargedCredits > 0 ? <Count value={chargedCredits} /> : "–"),
    align: "end",
    width: "5rem",
    minor: true,
  },
  { header: "When", plain: true, cell: ({ at }) => <RelativeTime at={at} />, align: "end", width: "7rem" },
];

/** `403 scope_missing`. */
export function answerOf({ status, errorCode }: Pick<AuditEvent, "status" | "errorCode">): string {
  return errorCode ? `${status} ${errorCode}` : String(status);
}

/** The name of who acted; a person's is gone once it was erased. */
export function actorOf({ actor }: Pick<AuditEvent, "actor">): string {
  return actor.label ?? (actor.type === "system" ? "The platform" : "Erased");
}
