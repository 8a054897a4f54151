import { projectColumn } from "#app/(console)/projects/project-column.ts";
import { nameOf, type Run } from "#app/(console)/runs/queries.ts";
import { whyColumn } from "#app/(console)/runs/why-column.tsx";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { Count } from "#components/ui/amount.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

/**
 * Returns the columns of the list; `projects` has projects' names by id. Inside a project there is no project column.
 */
export const columnsWith = (projects: ReadonlyMap<string, string>, isInProject: boolean): Column<Run>[] => [
  {
    header: "Run",
    cell: (run) => <bdi title={nameOf(run)}>{plainName(nameOf(run))}</bdi>,
    csv: [
      { header: "Name", value: ({ name }) => name },
      { header: "Service", value: ({ serviceId }) => serviceId },
      { header: "Operation", value: ({ operationId }) => operationId },
    ],
  },
  projectColumn(projects, isInProject),
  {
    header: "Tags",
    cell: ({ tags }) =>
      tags.length > 0 ? <bdi title={tags.join(", ")}>{plainName(tags.join(", "))}</bdi> : "–",
    csv: ({ tags }) => tags.join(", "),
    width: "8rem",
    minor: true,
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "9rem",
  },
  whyColumn,
  {
    header: "Took",
    cell: tookText,
    csv: [
      { header: "Started", value: ({ startedAt }) => startedAt },
      { header: "Finished", value: ({ finishedAt }) => finishedAt },
    ],
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
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    kept: true,
    align: "end",
    width: "7rem",
  },
  {
    header: "Service",
    plain: true,
    cell: ({ serviceId, operationId }) => `${serviceId} ${operationId}`,
    optional: true,
    width: "12rem",
  },
  {
    header: "End user",
    cell: ({ endUser }) => endUser ?? "–",
    csv: ({ endUser }) => endUser,
    optional: true,
    width: "8rem",
  },
  idColumn,
];

/** Returns the duration from the first step to the end. */
export function tookText({ startedAt, finishedAt }: Pick<Run, "startedAt" | "finishedAt">): string {
  if (!startedAt || !finishedAt) return "–";
  return durationText(Date.parse(finishedAt) - Date.parse(startedAt));
}

/** Formats a duration: `340 ms`, `2.4 s`, `3 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
