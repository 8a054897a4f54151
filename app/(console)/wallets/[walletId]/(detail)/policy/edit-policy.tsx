"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AskForApproval } from "#app/(console)/approvals/ask-for-approval.tsx";
import { DraftTrial } from "#app/(console)/wallets/[walletId]/(detail)/policy/draft-trial.tsx";
import { PolicyFields } from "#app/(console)/wallets/policy-fields.tsx";
import { initialPolicy, toPolicy } from "#app/(console)/wallets/policy-values.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";

/** Changes a wallet's policy, unless somebody else has changed it since it was shown. */
export function EditPolicy({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.wallets.read(walletId);
  const close = useCloseTo(parent);
  const current = useSuspenseQuery(trpc.wallets.read.queryOptions({ walletId })).data.wallet;
  // As it was when the form opened, so that a later change by somebody else is not overwritten.
  const [wallet] = useState(current);
  const update = useMutation(
    trpc.wallets.policy.update.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.wallets.pathFilter());
        toast("Policy saved.");
        close();
      },
    }),
  );
  /** The values that were refused: an approval is asked for these only. */
  const [sent, setSent] = useState<object | null>(null);
  const form = useForm({
    schema: () => import("#server/wallets/policy/schema.ts").then(({ PolicyChanges }) => PolicyChanges),
    initial: initialPolicy(wallet.policy),
    toInput: toPolicy,
  });
  return (
    <SideModalForm
      title="Edit policy"
      description="Whatever is left empty is not restricted."
      parent={parent}
      wide
      submitLabel="Save policy"
      form={form}
      pending={update.isPending || update.isSuccess}
      error={update.error}
      failed="The policy was not changed."
      remedy={
        sent === form.values && (
          <AskForApproval
            error={update.error}
            action={{ serviceId: "managed-wallets", operationId: "policy.update", input: update.variables }}
          />
        )
      }
      onSubmit={(input) => {
        setSent(form.values);
        update.mutate({ walletId, ifVersion: wallet.policy.version, ...input });
      }}
    >
      <PolicyFields form={form} />
      <DraftTrial walletId={walletId} form={form} />
    </SideModalForm>
  );
}
