"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { SigningSecret } from "#app/(console)/webhooks/signing-secret.tsx";
import { type EventChoices, WebhookFields } from "#app/(console)/webhooks/webhook-fields.tsx";
import { createInput, type WebhookValues } from "#app/(console)/webhooks/webhook-values.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useRouter } from "#components/ui/use-router.ts";

const EMPTY: WebhookValues = {
  url: "",
  events: ["*"],
  filter: [],
  payload: "full",
  headers: {},
  removed: [],
  description: "",
};

export function NewWebhook({ choices }: { choices: EventChoices }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  const form = useForm({
    schema: () => import("#server/webhooks/schema.ts").then(({ CreateWebhook }) => CreateWebhook),
    initial: EMPTY,
    toInput: createInput,
  });
  const { data } = create;
  if (data)
    return (
      <SigningSecret secret={data.secret} onDone={() => router.push(routes.webhooks.read(data.webhook.id))} />
    );
  return (
    <SideModalForm
      title="New webhook"
      parent={routes.webhooks.list()}
      submitLabel="Create webhook"
      form={form}
      pending={create.isPending}
      error={create.error}
      failed="The webhook was not created."
      onSubmit={(input) => create.mutate(input)}
    >
      <WebhookFields form={form} choices={choices} />
    </SideModalForm>
  );
}
