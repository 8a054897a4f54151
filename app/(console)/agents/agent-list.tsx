"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { agentList, type ShownRun, taskOf } from "#app/(console)/agents/queries.ts";
import { ManyRuns } from "#app/(console)/runs/many-runs.tsx";
import { whyColumn } from "#app/(console)/runs/why-column.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Credits } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const columns: Column<ShownRun>[] = [
  {
    header: "Task",
    cell: (run) => <span className="line-clamp-1 break-words">{taskOf(run) ?? "–"}</span>,
    csv: taskOf,
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "11rem",
  },
  whyColumn,
  {
    header: "Charged",
    cell: ({ chargedCredits }) => <Credits value={chargedCredits} />,
    csv: ({ chargedCredits }) => chargedCredits,
    width: "11rem",
    minor: true,
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    width: "8rem",
  },
  idColumn,
];

/** Lists the agents' tasks and their outcomes; followed while an agent runs. */
export function AgentList({ mayRun }: { mayRun: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(agentList);
  const list = useQuery({
    ...trpc.runs.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  const selection = useSelection<ShownRun>({ idOf: ({ id }) => id, nameOf: (run) => taskOf(run) ?? run.id });
  return (
    <Page>
      <PageHeader
        title="Agents"
        sentence="An agent is a language model that works on a task with your account's actions, within bounds that you set."
        action={
          mayRun && (
            <ButtonLink variant="primary" href={routes.agents.create()}>
              New task
            </ButtonLink>
          )
        }
      />
      <ListTable
        state={state}
        label="Agents"
        columns={columns}
        list={list}
        failed="The agents' runs could not be loaded."
        ask={client.runs.list.query}
        rowsOf={({ runs }) => runs}
        rowHref={(run) => routes.agents.read(run.id)}
        {...(mayRun && { selection })}
        empty={<NoAgents />}
      >
        <ManyRuns selection={selection} />
      </ListTable>
    </Page>
  );
}

function NoAgents() {
  const input = { input: "Which project used the most credits this week?" };
  const body = { serviceId: "managed-agents", operationId: "respond", input };
  const curl = curlOf(useOrigin(), { method: "POST", path: "/runs", idempotent: true, body });
  return (
    <EmptyState title="No agent has worked yet" curl={curl}>
      Give one a task. It may read what you may read; anything that it wants to change, it asks you first.
    </EmptyState>
  );
}
