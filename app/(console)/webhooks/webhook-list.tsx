"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { arrivedOf } from "#app/(console)/webhooks/queries.ts";
import { useSwitching } from "#app/(console)/webhooks/use-switching.tsx";
import { WebhookStatus } from "#app/(console)/webhooks/webhook-status.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Webhook } from "#server/webhooks/schema.ts";

const columns: Column<Webhook>[] = [
  { header: "Address", cell: ({ url }) => <span className="break-all font-mono">{url}</span> },
  { header: "Events", cell: ({ events }) => events.join(", "), minor: true },
  { header: "Status", cell: (webhook) => <WebhookStatus webhook={webhook} />, width: "7rem" },
  { header: "Arrived", cell: ({ health }) => arrivedOf(health), align: "end", width: "8rem" },
  {
    header: "Last success",
    cell: ({ health }) => <RelativeTime at={health.lastSuccessAt} />,
    width: "8rem",
    minor: true,
  },
  {
    header: "Last failure",
    cell: ({ health }) => <RelativeTime at={health.lastFailureAt} />,
    width: "8rem",
  },
];

export function WebhookList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const cursor = useCursor();
  const query = trpc.webhooks.list.queryOptions({ ...(cursor && { cursor }) });
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const switching = useSwitching();

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
      <ErrorNotice what="The webhooks could not be loaded." error={list.error} />
      <ErrorNotice what="The webhook was not changed." error={switching.error} />
      <DataTable
        label="Webhooks"
        columns={columns}
        rows={list.data?.webhooks}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.webhooks.read(id)}
        {...(mayWrite && { rowMenu: switching.actionsOf })}
        empty={<NoWebhooks />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
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
      credits run low.
    </EmptyState>
  );
}
