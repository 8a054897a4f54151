"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { SigningSecret } from "#app/(console)/webhooks/signing-secret.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { NumberField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";

const HOUR = 3600;

const initial: { overlapHours: number | null } = { overlapHours: 24 };

export function RotateSecret({ webhookId }: { webhookId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.webhooks.read(webhookId);
  const close = useCloseTo(parent);
  const rotate = useMutation(
    trpc.webhooks.rotate.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  const form = useForm({
    schema: () => import("#server/webhooks/schema.ts").then(({ RotateSecret }) => RotateSecret),
    initial,
    toInput: ({ overlapHours }) => ({ overlapSeconds: (overlapHours ?? 0) * HOUR }),
  });
  if (rotate.data) return <SigningSecret secret={rotate.data.secret} onDone={close} />;
  return (
    <SideModalForm
      title="Rotate secret"
      description="A new secret is made and shown once."
      parent={parent}
      submitLabel="Rotate"
      form={form}
      pending={rotate.isPending}
      error={rotate.error}
      failed="The secret was not rotated."
      onSubmit={(input) => rotate.mutate({ webhookId, ...input })}
    >
      <NumberField
        label="Overlap"
        unit="hours"
        min={0}
        max={168}
        hint="So long deliveries are signed with both secrets. 0 ends the old one at once."
        {...form.field("overlapHours")}
      />
    </SideModalForm>
  );
}
