"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { Deliveries } from "#app/(console)/webhooks/[webhookId]/deliveries.tsx";
import { inWords } from "#app/(console)/webhooks/conditions.ts";
import { payloads } from "#app/(console)/webhooks/payloads.ts";
import { arrivedOf, reasonOf } from "#app/(console)/webhooks/queries.ts";
import { useSwitching } from "#app/(console)/webhooks/use-switching.tsx";
import { WebhookStatus } from "#app/(console)/webhooks/webhook-status.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Facts } from "#components/ui/section.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";

type WebhookDetailProps = { webhookId: string; events: readonly string[]; mayWrite: boolean };

export function WebhookDetail({ webhookId, events, mayWrite }: WebhookDetailProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { webhook } = useSuspenseQuery(trpc.webhooks.read.queryOptions({ webhookId })).data;
  const switching = useSwitching();
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.webhookDeliveries.pathFilter());
        toast("A test event is on its way.");
      },
    }),
  );
  const { health } = webhook;

  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.webhooks.list()}>Webhooks</TextLink>}
        title={new URL(webhook.url).host}
        sentence={webhook.description}
        badge={<WebhookStatus webhook={webhook} />}
        action={
          mayWrite && (
            <>
              {webhook.status !== "disabled" && (
                <Button variant="primary" pending={test.isPending} onClick={() => test.mutate({ webhookId })}>
                  Send test event
                </Button>
              )}
              <ButtonLink href={routes.webhooks.edit(webhookId)}>Edit</ButtonLink>
              <Menu
                trigger={<IconButton icon={Ellipsis} label="More actions" />}
                items={[
                  ...(webhook.status === "disabled"
                    ? []
                    : [{ label: "Recover", href: routes.webhooks.recover(webhookId) }]),
                  { label: "Check signature", href: routes.webhooks.check(webhookId) },
                  { label: "Rotate secret", href: routes.webhooks.rotate(webhookId) },
                  ...switching
                    .actionsOf(webhook)
                    .map((item, index) => (index === 0 ? { ...item, separated: true } : item)),
                ]}
              />
            </>
          )
        }
      />
      <ErrorNotice what="The webhook was not changed." error={switching.error} />
      <ErrorNotice what="The test event was not sent." error={test.error} />
      <Facts
        items={[
          { name: "Id", value: <Copyable value={webhook.id} full /> },
          { name: "Address", value: <Copyable value={webhook.url} full /> },
          { name: "Events", value: <span className="font-mono">{webhook.events.join(", ")}</span> },
          ...(webhook.filter
            ? [
                {
                  name: "Conditions",
                  value: (
                    <ul>
                      {webhook.filter.map((condition) => (
                        <li key={JSON.stringify(condition)}>{inWords(condition)}</li>
                      ))}
                    </ul>
                  ),
                },
              ]
            : []),
          { name: "Body", value: payloads.find(({ value }) => value === webhook.payload)?.label },
          ...(webhook.headerNames.length > 0
            ? [
                {
                  name: "Headers",
                  value: <span className="font-mono">{webhook.headerNames.join(", ")}</span>,
                },
              ]
            : []),
          ...(webhook.disabledReason ? [{ name: "Disabled", value: reasonOf(webhook.disabledReason) }] : []),
          {
            name: "Owner",
            value: webhook.ownerKeyId ? <ResourceLink id={webhook.ownerKeyId} /> : "The account",
          },
          { name: "Arrived", value: arrivedOf(health) },
          {
            name: "Last success",
            value: health.lastSuccessAt ? <ExactTime at={health.lastSuccessAt} /> : "Never",
          },
          ...(health.lastFailureAt
            ? [{ name: "Last failure", value: <ExactTime at={health.lastFailureAt} /> }]
            : []),
          ...(health.failingSince
            ? [
                {
                  name: "Failing since",
                  value: (
                    <>
                      <ExactTime at={health.failingSince} />, {health.consecutiveFailures}{" "}
                      {health.consecutiveFailures === 1 ? "attempt" : "attempts"}
                    </>
                  ),
                },
              ]
            : []),
          ...(webhook.previousSecretExpiresAt
            ? [{ name: "Old secret ends", value: <ExactTime at={webhook.previousSecretExpiresAt} /> }]
            : []),
          { name: "Created", value: <ExactTime at={webhook.createdAt} /> },
        ]}
      />
      <Deliveries webhookId={webhookId} events={events} mayWrite={mayWrite} />
      {switching.dialog}
    </Page>
  );
}
