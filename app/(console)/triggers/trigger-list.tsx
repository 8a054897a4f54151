"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { scheduleText, startText, type Trigger, triggerList } from "#app/(console)/triggers/queries.ts";
import { TriggerTabs } from "#app/(console)/triggers/trigger-tabs.tsx";
import { useSwitching } from "#app/(console)/triggers/use-switching.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const columns: Column<Trigger>[] = [
  { header: "Name", cell: ({ name }) => name, csv: ({ name }) => name },
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

  return (
    <Page>
      <PageHeader
        title="Triggers"
        sentence="What starts runs by itself: at the times of a schedule, at events or at a provider’s deliveries, once for each."
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
        empty={<NoTriggers />}
      >
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
