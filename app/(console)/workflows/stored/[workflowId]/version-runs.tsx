"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tookText } from "#app/(console)/runs/columns.tsx";
import { isLive, nameOf, type Run } from "#app/(console)/runs/queries.ts";
import { RunAgainDialog } from "#app/(console)/workflows/stored/[workflowId]/run-again-dialog.tsx";
import { runsOfVersion, type Stored } from "#app/(console)/workflows/stored/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const columns: Column<Run>[] = [
  { header: "Run", cell: (run) => `${nameOf(run)} ${shorten(run.id)}` },
  { header: "Status", plain: true, cell: ({ status }) => <Status value={status} />, width: "10rem" },
  { header: "Failed in", cell: ({ error }) => error?.step ?? "–", minor: true },
  { header: "Took", cell: tookText, align: "end", width: "6rem", minor: true },
  {
    header: "Started",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: "end",
    width: "8rem",
  },
];

/** Lists the runs of one version; ended runs can be repeated with the newest version. */
export function VersionRuns({
  workflow,
  version,
  mayWrite,
}: {
  workflow: Stored;
  version: number;
  mayWrite: boolean;
}) {
  const trpc = useTRPC();
  const cursor = useCursor();
  const [again, setAgain] = useState<Run | null>(null);
  const list = useQuery({
    ...trpc.runs.list.queryOptions({
      ...runsOfVersion(workflow.id, version),
      ...(cursor && { cursor }),
    }),
    placeholderData: keepPreviousData,
  });
  const mayRunAgain = (run: Run) =>
    mayWrite && workflow.status === "active" && !isLive(run) && run.input !== null;

  return (
    <Section title={`Runs of version ${version}`}>
      <ErrorNotice what="The runs could not be loaded." error={list.error} />
      <DataTable
        label="Runs"
        columns={columns}
        rows={list.data?.runs}
        failed={list.isError}
        rowId={(run) => run.id}
        rowHref={(run) => routes.runs.read(run.id)}
        rowMenu={(run) =>
          mayRunAgain(run)
            ? [{ label: `Run again with version ${workflow.version}`, onSelect: () => setAgain(run) }]
            : []
        }
        empty={<p className="px-4 py-6 text-muted">No run was started with it yet.</p>}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {again && <RunAgainDialog workflow={workflow} run={again} onClose={() => setAgain(null)} />}
    </Section>
  );
}
