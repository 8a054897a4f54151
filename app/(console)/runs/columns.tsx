import type { Run } from "#app/(console)/runs/queries.ts";
import type { Column } from "#components/table/column.ts";
import { Count } from "#components/ui/amount.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

export const columns: Column<Run>[] = [
  { header: "Operation", cell: ({ operationId }) => operationId },
  { header: "Service", cell: ({ serviceId }) => serviceId, width: "12rem" },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "10rem" },
  { header: "Why", cell: ({ error }) => error?.code ?? "–", width: "12rem", minor: true },
  { header: "Took", cell: tookText, align: "end", width: "6rem", minor: true },
  {
    header: "Credits",
    cell: ({ chargedCredits }) => (chargedCredits > 0 ? <Count value={chargedCredits} /> : "–"),
    align: "end",
    width: "5rem",
    minor: true,
  },
  {
    header: "Created",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "8rem",
  },
];

/** From its first step to its end. */
export function tookText({ startedAt, finishedAt }: Pick<Run, "startedAt" | "finishedAt">): string {
  if (!startedAt || !finishedAt) return "–";
  return durationText(Date.parse(finishedAt) - Date.parse(startedAt));
}

/** `340 ms`, `2.4 s`, `3 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
