"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useMemo } from "react";
import { columnsWith } from "#app/(console)/runs/columns.tsx";
import { ManyRuns } from "#app/(console)/runs/many-runs.tsx";
import { OutcomeStrip } from "#app/(console)/runs/outcome-strip.tsx";
import { nameOf, type Run, runList, withOneStatus } from "#app/(console)/runs/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { useNames } from "#components/use-names.ts";

/** Lists durable runs, newest first; followed while any is running. */
export function RunList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { filters, ...rest } = useList(runList);
  const state = { ...rest, filters: withOneStatus(filters) };
  const query = trpc.runs.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const names = useNames(list.data?.runs.map(({ projectId }) => projectId) ?? []);
  const isInProject = useIsInProject();
  const columns = useMemo(() => columnsWith(names, isInProject), [names, isInProject]);
  const selection = useSelection<Run>({ idOf: ({ id }) => id, nameOf });
  const { values } = filters;

  return (
    <Page>
      <PageHeader
        title="Runs"
        sentence="Durable work of services: each finished step is kept, and nothing of it happens twice."
        action={
          mayWrite && (
            <>
              <ButtonLink variant="primary" href={routes.runs.create()}>
                New run
              </ButtonLink>
              <Menu
                trigger={<IconButton icon={Ellipsis} label="More actions" />}
                items={[
                  { label: "Retry several", href: routes.runs.bulk("retry", values) },
                  { label: "Cancel several", href: routes.runs.bulk("cancel", values) },
                  { label: "Forget several", href: routes.runs.bulk("forget", values) },
                ]}
              />
            </>
          )
        }
      />
      <OutcomeStrip filters={values} />
      <ListTable
        state={state}
        label="Runs"
        columns={columns}
        list={list}
        failed="The runs could not be loaded."
        ask={client.runs.list.query}
        rowsOf={({ runs }) => runs}
        rowHref={(run) => routes.runs.read(run.id)}
        {...(mayWrite && { selection })}
        empty={<NoRuns />}
      >
        <ManyRuns selection={selection} />
      </ListTable>
    </Page>
  );
}

function NoRuns() {
  const body = { serviceId: "managed-memory", operationId: "export", input: {} };
  const curl = curlOf(useOrigin(), { method: "POST", path: "/runs", idempotent: true, body });
  return (
    <EmptyState title="No runs yet" curl={curl}>
      A run answers at once and works on by itself, for seconds or days: an export, a workflow, an agent.
    </EmptyState>
  );
}
