"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { projectColumn } from "#app/(console)/projects/project-column.ts";
import { type Listed, storedList } from "#app/(console)/workflows/stored/queries.ts";
import { WorkflowTabs } from "#app/(console)/workflows/workflow-tabs.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { useNames } from "#components/use-names.ts";

const columnsWith = (projects: ReadonlyMap<string, string>): Column<Listed>[] => [
  { header: "Name", cell: ({ name }) => name, csv: ({ name }) => name, sort: "name" },
  { header: "Newest version", cell: ({ version }) => version, csv: ({ version }) => version, width: "8rem" },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "8rem",
  },
  projectColumn(projects),
  {
    header: "Put by",
    cell: ({ createdBy }) => createdBy.label,
    csv: ({ createdBy }) => createdBy.label,
    width: "8rem",
    minor: true,
  },
  {
    header: "Put",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    align: "end",
    width: "8rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ firstPutAt }) => <RelativeTime at={firstPutAt} />,
    csv: ({ firstPutAt }) => firstPutAt,
    sort: "createdAt",
    align: "end",
    width: "7rem",
    minor: true,
  },
  idColumn,
];

/** Lists the stored workflows with their newest versions. */
export function StoredList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(storedList);
  const list = useQuery({
    ...trpc.workflows.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  const workflows = list.data?.workflows;
  const names = useNames(workflows?.map(({ projectId }) => projectId) ?? []);
  const queries = useQueryClient();
  const chosen = useChosenProject();
  const selection = useSelection<Listed>({
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    // A person acts for the chosen project, and a name there is another workflow.
    fits: ({ projectId, endUser }) => projectId === chosen && endUser === null,
  });
  const change =
    (operationId: "archive" | "restore") =>
    ({ name }: Listed) =>
      client.services.invoke.mutate({ serviceId: "managed-workflows", operationId, input: { name } });
  const columns = useMemo(() => columnsWith(names), [names]);

  return (
    <Page>
      <PageHeader
        title="Workflows"
        sentence="Stored under a name in versions that never change; a run keeps the version it was started with."
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
        label="Stored workflows"
        columns={columns}
        list={list}
        failed="The stored workflows could not be loaded."
        ask={client.workflows.list.query}
        rowsOf={({ workflows }) => workflows}
        rowHref={({ id }) => routes.workflows.storedOne(id)}
        {...(mayWrite && { selection })}
        empty={<NoneStored />}
      >
        <Many
          selection={selection}
          counted={countedBy("workflow")}
          noteOf={({ version }) => `Version ${version}`}
          actions={[
            {
              verb: "Archive",
              fits: ({ status }) => status === "active",
              text: "Each stays readable, and its runs go on. None is started or changed until you restore it.",
              act: change("archive"),
            },
            {
              verb: "Restore",
              fits: ({ status }) => status === "archived",
              text: "Each can be started and changed again.",
              act: change("restore"),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.workflows.pathFilter())}
        />
      </ListTable>
    </Page>
  );
}

function NoneStored() {
  const steps = [{ id: "pause", type: "wait", seconds: 1 }];
  const body = { operationId: "put", input: { name: "restock", workflow: { name: "Restock", steps } } };
  const path = "/services/managed-workflows/invoke";
  const curl = curlOf(useOrigin(), { method: "POST", path, idempotent: true, body });
  return (
    <EmptyState title="No stored workflows yet" curl={curl}>
      Store a workflow once and start it by its name: with a key that may run nothing else, and as a step of
      other workflows.
    </EmptyState>
  );
}
