"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PolicyFields } from "#app/(console)/wallets/policy-fields.tsx";
import { initialPolicy, toPolicy } from "#app/(console)/wallets/policy-values.ts";
import { useFaucet } from "#app/(console)/wallets/use-faucet.ts";
import { CheckboxField } from "#components/form/checkbox-field.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";

export function NewWallet() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const faucet = useFaucet();
  const create = useMutation(
    trpc.wallets.create.mutationOptions({
      async onSuccess({ wallet }) {
        // The wallet exists even if the faucet fails.
        const funding = faucet.offered && form.values.funded ? faucet.give.mutateAsync(wallet.id) : null;
        const funded = await funding?.then(
          () => "Wallet created, with test money.",
          () => "Wallet created; the faucet gave it nothing.",
        );
        await queries.invalidateQueries(trpc.wallets.pathFilter());
        toast(funded ?? "Wallet created.");
        router.push(routes.wallets.read(wallet.id));
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/wallets/schema.ts").then(({ CreateWallet }) => CreateWallet),
    initial: { label: "", endUser: "", funded: true, ...initialPolicy() },
    toInput: ({ label, endUser, funded, ...policy }) => ({
      label,
      ...(endUser && { endUser }),
      policy: toPolicy(policy),
    }),
  });
  return (
    <SideModalForm
      title="New wallet"
      description="Its key is made and sealed here. Whatever is left empty below is not restricted."
      parent={routes.wallets.list()}
      submitLabel="Create wallet"
      form={form}
      pending={create.isPending || create.isSuccess}
      error={create.error}
      failed="The wallet was not created."
      onSubmit={(input) => create.mutate(input)}
    >
      <TextField label="Label" {...form.field("label")} />
      <TextField
        label="End user"
        optional
        hint="Your own id of the user whose wallet it is."
        {...form.field("endUser")}
      />
      {faucet.offered && (
        <CheckboxField
          label="With test money"
          hint="From the faucet of the sandbox: enough to send and to pay its fees."
          {...form.field("funded")}
        />
      )}
      <PolicyFields form={form} under="policy." />
    </SideModalForm>
  );
}
