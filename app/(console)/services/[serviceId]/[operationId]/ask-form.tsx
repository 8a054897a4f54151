"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Capability, priceText } from "#app/(console)/services/capability.ts";
import { InputEditor } from "#components/form/input-editor.tsx";
import { PageForm } from "#components/form/page-form.tsx";
import { useInputForm } from "#components/form/use-input-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Section } from "#components/ui/section.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** Requests an approval to call an operation once with the entered input; then the approval's id is in the address. */
export function AskForm({ capability }: { capability: Capability }) {
  const { serviceId, operationId, price } = capability;
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const form = useInputForm(capability.inputSchema);
  const ask = useMutation(
    trpc.approvals.create.mutationOptions({
      async onSuccess({ approval }) {
        await queries.invalidateQueries(trpc.approvals.pathFilter());
        router.push(routes.services.operation(serviceId, operationId, { approvalId: approval.id }), {
          scroll: false,
        });
      },
    }),
  );
  return (
    <Section
      title="Ask for it"
      description={`It needs an approval of exactly this input, and then really acts. ${priceText(price)}.`}
    >
      <PageForm
        submitLabel="Ask for approval"
        form={form}
        pending={ask.isPending}
        error={ask.error}
        failed="The approval was not asked for."
        onSubmit={({ input }) => ask.mutate({ serviceId, operationId, input })}
      >
        <InputEditor form={form} />
      </PageForm>
    </Section>
  );
}
