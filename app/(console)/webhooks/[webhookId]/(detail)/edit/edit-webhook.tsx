"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { type EventChoices, WebhookFields } from "#app/(console)/webhooks/webhook-fields.tsx";
import { updateInput, valuesOf } from "#app/(console)/webhooks/webhook-values.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";

export function EditWebhook({ webhookId, choices }: { webhookId: string; choices: EventChoices }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.webhooks.read(webhookId);
  const close = useCloseTo(parent);
  const { webhook } = useSuspenseQuery(trpc.webhooks.read.queryOptions({ webhookId })).data;
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.webhooks.pathFilter());
        toast("Webhook saved.");
        close();
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/webhooks/schema.ts").then(({ UpdateWebhook }) => UpdateWebhook),
    initial: valuesOf(webhook),
    toInput: updateInput,
    partial: true,
  });
  return (
    <SideModalForm
      title="Edit webhook"
      parent={parent}
      submitLabel="Save webhook"
      form={form}
      pending={update.isPending || update.isSuccess}
      error={update.error}
      failed="The webhook was not changed."
      onSubmit={(input) => update.mutate({ webhookId, ...input })}
    >
      <WebhookFields form={form} choices={choices} storedHeaders={webhook.headerNames} />
    </SideModalForm>
  );
}
