"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { balanceQuery } from "#app/(console)/credits/queries.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { NumberField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { inDigits } from "#components/ui/digits.ts";
import { toast } from "#components/ui/toast.tsx";

/** Sets the total below which the account is warned. */
export function ChangeAlert() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const close = useCloseTo(routes.credits());
  const { balance } = useSuspenseQuery(trpc.credits.balance.read.queryOptions(balanceQuery)).data;
  const update = useMutation(
    trpc.credits.threshold.update.mutationOptions({
      async onSuccess({ balance }) {
        await queries.invalidateQueries(trpc.credits.pathFilter());
        toast(`You are warned below ${inDigits(balance.lowThreshold)} credits.`);
        close();
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/credits/schema.ts").then(({ UpdateThreshold }) => UpdateThreshold),
    initial: { lowThreshold: balance.lowThreshold as number | null },
  });
  return (
    <SideModalForm
      title="Change alert"
      description="Where a charge takes the total below it, webhooks get credits.low, and the console says so on its first page and here."
      parent={routes.credits()}
      submitLabel="Save alert"
      form={form}
      pending={update.isPending}
      error={update.error}
      failed="The alert was not changed."
      onSubmit={(input) => update.mutate(input)}
    >
      <NumberField label="Warn below" unit="credits" min={1} {...form.field("lowThreshold")} />
    </SideModalForm>
  );
}
