"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { arrivedOf, webhookList } from "#app/(console)/webhooks/queries.ts";
import { useSwitching } from "#app/(console)/webhooks/use-switching.tsx";
import { WebhookStatus } from "#app/(console)/webhooks/webhook-status.tsx";
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
import { RelativeTime } from "#components/ui/time.tsx";
import type { Webhook } from "#server/webhooks/schema.ts";

const columns: Column<Webhook>[] = [
  {
    header: "Address",
    plain: true,
    cell: ({ url }) => <span className="break-all font-mono">{url}</span>,
    csv: ({ url }) => url,
  },
  {
    header: "Events",
    cell: ({ events }) => events.join(", "),
    csv: ({ events }) => events.join(" "),
    minor: true,
  },
  {
    header: "Description",
    cell: ({ description }) => description ?? "–",
    csv: ({ description }) => description,
    optional: true,
  },
  {
    header: "Status",
    plain: true,
    cell: (webhook) => <WebhookStatus webhook={webhook} />,
    csv: ({ status }) => status,
    width: "7rem",
  },
  {
    header: "Arrived",
    cell: ({ health }) => arrivedOf(health),
    csv: ({ health }) => arrivedOf(health),
    align: "end",
    width: "8rem",
  },
  {
    header: "Last success",
    cell: ({ health }) => <RelativeTime at={health.lastSuccessAt} />,
    csv: ({ health }) => health.lastSuccessAt,
    width: "8rem",
    minor: true,
  },
  {
    header: "Last failure",
    cell: ({ health }) => <RelativeTime at={health.lastFailureAt} />,
    csv: ({ health }) => health.lastFailureAt,
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

export function WebhookList({ mayWrite, events }: { mayWrite: boolean; events: readonly string[] }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(webhookList);
  const query = trpc.webhooks.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const switching = useSwitching();
  const queries = useQueryClient();
  const selection = useSelection<Webhook>({ idOf: ({ id }) => id, nameOf: ({ url }) => url });

  return (
    <Page>
      <PageHeader
        title="Webhooks"
        sentence="Events of your account, sent to your own addresses as they happen: signed, and tried again until they arrive."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.webhooks.create()}>
              New webhook
            </ButtonLink>
          )
        }
      />
      <ListTable
        state={state}
        label="Webhooks"
        columns={columns}
        options={{ event: events.map((type) => ({ value: type, label: type })) }}
        list={list}
        failed="The webhooks could not be loaded."
        ask={client.webhooks.list.query}
        rowsOf={({ webhooks }) => webhooks}
        rowHref={({ id }) => routes.webhooks.read(id)}
        {...(mayWrite && { selection, rowMenu: switching.actionsOf })}
        empty={<NoWebhooks />}
      >
        <ErrorNotice what="The webhook was not changed." error={switching.error} />
        <Many
          selection={selection}
          counted={countedBy("webhook")}
          noteOf={({ description }) => description}
          actions={[
            {
              verb: "Pause",
              fits: ({ status }) => status === "active",
              text: "They get no new events until you resume them; deliveries that wait are still sent.",
              act: ({ id }) => client.webhooks.update.mutate({ webhookId: id, status: "paused" }),
            },
            {
              verb: "Resume",
              fits: ({ status }) => status !== "active",
              text: "Each gets new events from now. Recover on its page sends those that it has missed.",
              act: ({ id }) => client.webhooks.update.mutate({ webhookId: id, status: "active" }),
            },
            {
              verb: "Disable",
              danger: true,
              fits: ({ status }) => status !== "disabled",
              text: "Nothing more is sent to them, and deliveries that wait are abandoned.",
              act: ({ id }) => client.webhooks.disable.mutate({ webhookId: id }),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.webhooks.pathFilter())}
        />
      </ListTable>
      {switching.dialog}
    </Page>
  );
}

function NoWebhooks() {
  const body = { url: "https://example.com/hooks", events: ["*"] };
  const call = { method: "POST", path: "/webhooks", idempotent: true, body };
  return (
    <EmptyState title="No webhooks yet" curl={curlOf(useOrigin(), call)}>
      A webhook tells your backend what happens here without asking: a run has finished, an approval waits,
      credits run low. Webhooks that you have disabled are listed with the status Disabled.
    </EmptyState>
  );
}
