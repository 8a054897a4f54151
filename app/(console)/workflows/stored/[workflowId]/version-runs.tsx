"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tookText } from "#app/(console)/runs/columns.tsx";
import { ManyRuns } from "#app/(console)/runs/many-runs.tsx";
import { isLive, nameOf, type Run } from "#app/(console)/runs/queries.ts";
import { RunAgainDialog } from "#app/(console)/workflows/stored/[workflowId]/run-again-dialog.tsx";
import { type Stored, versionRunList } from "#app/(console)/workflows/stored/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const columns: Column<Run>[] = [
  { header: "Run", cell: (run) => `${nameOf(run)} ${shorten(run.id)}`, csv: nameOf },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "10rem",
  },
  {
    header: "Failed in",
    cell: ({ error }) => error?.step ?? "–",
    csv: ({ error }) => error?.step,
    minor: true,
  },
  { header: "Took", cell: tookText, csv: tookText, align: "end", width: "6rem", minor: true },
  {
    header: "Started",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    align: "end",
    width: "8rem",
  },
  idColumn,
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
  const client = useTRPCClient();
  const state = useList(versionRunList);
  const whose = { workflowId: workflow.id, workflowVersion: version };
  const [again, setAgain] = useState<Run | null>(null);
  const list = useQuery({
    ...trpc.runs.list.queryOptions({ ...state.query, ...whose }),
    placeholderData: keepPreviousData,
  });
  const selection = useSelection<Run>({ idOf: ({ id }) => id, nameOf });
  const mayRunAgain = (run: Run) =>
    mayWrite && workflow.status === "active" && !isLive(run) && run.input !== null;

  return (
    <Section
      title={`Runs of version ${version}`}
      action={<TextLink href={routes.runs.list({ workflowId: workflow.id })}>Runs of all versions</TextLink>}
    >
      <ListTable
        state={state}
        label="Runs"
        columns={columns}
        list={list}
        failed="The runs could not be loaded."
        ask={(asked) => client.runs.list.query({ ...asked, ...whose })}
        rowsOf={({ runs }) => runs}
        rowHref={(run) => routes.runs.read(run.id)}
        rowMenu={(run) =>
          mayRunAgain(run)
            ? [{ label: `Run again with version ${workflow.version}`, onSelect: () => setAgain(run) }]
            : []
        }
        {...(mayWrite && { selection })}
        empty={<p className="px-4 py-6 text-muted">No run was started with it yet.</p>}
      >
        <ManyRuns selection={selection} />
      </ListTable>
      {again && <RunAgainDialog workflow={workflow} run={again} onClose={() => setAgain(null)} />}
    </Section>
  );
}
