"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { tookText } from "#app/(console)/runs/columns.tsx";
import { ManyRuns } from "#app/(console)/runs/many-runs.tsx";
import { nameOf, type Run } from "#app/(console)/runs/queries.ts";
import { workflowList } from "#app/(console)/workflows/queries.ts";
import { againPage } from "#app/(console)/workflows/workflow.ts";
import { WorkflowTabs } from "#app/(console)/workflows/workflow-tabs.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const columns: Column<Run>[] = [
  { header: "Workflow", cell: nameOf, csv: nameOf },
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
  {
    header: "Why",
    cell: ({ error }) => error?.message ?? "–",
    csv: ({ error }) => error?.message,
    optional: true,
  },
  { header: "Took", cell: tookText, csv: tookText, align: "end", width: "6rem", minor: true },
  {
    header: "Credits",
    cell: ({ chargedCredits }) => <Count value={chargedCredits} />,
    csv: ({ chargedCredits }) => chargedCredits,
    align: "end",
    width: "5rem",
    minor: true,
  },
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

/** Lists the runs of workflows, newest first. */
export function WorkflowList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(workflowList);
  const list = useQuery({
    ...trpc.runs.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  const selection = useSelection<Run>({ idOf: ({ id }) => id, nameOf });

  return (
    <Page>
      <PageHeader
        title="Workflows"
        sentence="Steps over services, operations and outside systems, run durably one after another."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.workflows.create()}>
              New workflow
            </ButtonLink>
          )
        }
      />
      <WorkflowTabs />
      <ListTable
        state={state}
        label="Workflows"
        columns={columns}
        list={list}
        failed="The workflows could not be loaded."
        ask={client.runs.list.query}
        rowsOf={({ runs }) => runs}
        rowHref={(run) => routes.runs.read(run.id)}
        {...(mayWrite && {
          selection,
          rowMenu: (run: Run) => [
            { label: run.workflow ? "Run again" : "Edit and run again", href: againPage(run) },
          ],
        })}
        empty={<NoWorkflows />}
      >
        <ManyRuns selection={selection} />
      </ListTable>
    </Page>
  );
}

function NoWorkflows() {
  return (
    <EmptyState title="No workflows yet">
      A workflow is JSON: what to call, what to wait for, who must approve. Each finished step is kept, so
      that a crash repeats nothing.
    </EmptyState>
  );
}
