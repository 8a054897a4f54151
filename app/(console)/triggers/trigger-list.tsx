"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { scheduleText, startText, type Trigger, triggerList } from "#app/(console)/triggers/queries.ts";
import { TriggerTabs } from "#app/(console)/triggers/trigger-tabs.tsx";
import { mayResume, useIsOwn, useSwitching } from "#app/(console)/triggers/use-switching.tsx";
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
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const columns: Column<Trigger>[] = [
  { header: "Name", cell: ({ name }) => name, csv: ({ name }) => name, sort: "name" },
  { header: "When", plain: true, cell: ({ on }) => scheduleText(on), csv: ({ on }) => scheduleText(on) },
  {
    header: "Starts",
    cell: ({ start }) => startText(start),
    csv: ({ start }) => startText(start),
    minor: true,
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "8rem",
  },
  {
    header: "Next",
    cell: ({ nextAt }) => <RelativeTime at={nextAt} never="–" />,
    csv: ({ nextAt }) => nextAt,
    align: "end",
    width: "8rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    optional: true,
    width: "8rem",
  },
  idColumn,
];

/** Lists the account's triggers with their next starts. */
export function TriggerList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(triggerList);
  const switching = useSwitching();
  const list = useQuery({
    ...trpc.triggers.list.queryOptions(state.query),
    placeholderData: keepPreviousData,
  });
  const queries = useQueryClient();
  const selection = useSelection<Trigger>({
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    fits: useIsOwn(),
  });
  const change =
    (operationId: "pause" | "resume" | "delete") =>
    ({ name }: Trigger) =>
      client.services.invoke.mutate({ serviceId: "managed-triggers", operationId, input: { name } });

  return (
    <Page>
      <PageHeader
        title="Triggers"
        sentence="A trigger starts runs by itself: at the times of a schedule, at events or at a provider’s deliveries, once for each."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.triggers.create()}>
              New trigger
            </ButtonLink>
          )
        }
      />
      <TriggerTabs />
      <ListTable
        state={state}
        label="Triggers"
        columns={columns}
        list={list}
        failed="The triggers could not be loaded."
        ask={client.triggers.list.query}
        rowsOf={({ triggers }) => triggers}
        rowHref={({ id }) => routes.triggers.read(id)}
        rowMenu={(trigger) => (mayWrite ? switching.actionsOf(trigger) : [])}
        {...(mayWrite && { selection })}
        empty={<NoTriggers />}
      >
        <Many
          selection={selection}
          counted={countedBy("trigger")}
          noteOf={({ on }) => scheduleText(on)}
          actions={[
            {
              verb: "Pause",
              fits: ({ status }) => status === "active",
              text: "Nothing is started by them until you resume them.",
              act: change("pause"),
            },
            { verb: "Resume", fits: mayResume, text: "Each goes on from now.", act: change("resume") },
            {
              verb: "Delete",
              danger: true,
              text: "Nothing more is started by them. The runs that they have started stay, and those under way go on.",
              act: change("delete"),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.triggers.pathFilter())}
        />
        <ErrorNotice what="The trigger was not changed." error={switching.error} />
      </ListTable>
      {switching.dialog}
    </Page>
  );
}

function NoTriggers() {
  const start = { serviceId: "managed-workflows", operationId: "start", input: { name: "report" } };
  const on = { cron: "30 2 * * *", timezone: "Europe/Berlin" };
  const body = { operationId: "put", input: { name: "nightly-report", on, start } };
  const path = "/services/managed-triggers/invoke";
  const curl = curlOf(useOrigin(), { method: "POST", path, idempotent: true, body });
  return (
    <EmptyState title="No triggers yet" curl={curl}>
      A trigger starts a run every night, every few minutes, or once, in your name and with your rights.
    </EmptyState>
  );
}
