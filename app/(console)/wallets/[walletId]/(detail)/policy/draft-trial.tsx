"use client";

import { useMutation } from "@tanstack/react-query";
import { TrialResult } from "#app/(console)/wallets/[walletId]/(detail)/policy/trial-result.tsx";
import { type PolicyValues, toPolicy } from "#app/(console)/wallets/policy-values.ts";
import type { Form } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import type { PolicyChanges } from "#server/wallets/policy/schema.ts";

/** Replays the wallet's past transactions against the edited policy before it is saved. */
export function DraftTrial({
  walletId,
  form,
}: {
  walletId: string;
  form: Form<PolicyValues, PolicyChanges>;
}) {
  const trpc = useTRPC();
  const trial = useMutation(trpc.wallets.policy.simulate.mutationOptions());
  const tried = JSON.stringify(trial.variables?.draft);
  return (
    <Section
      title="Try this draft"
      description="Replays the wallet’s transactions of the last 30 days. Nothing changes."
      className="border-t pt-4"
      action={
        <Button
          pending={trial.isPending}
          onClick={(event) => form.check(event.currentTarget, (draft) => trial.mutate({ walletId, draft }))}
        >
          Replay 30 days
        </Button>
      }
    >
      <ErrorNotice what="The draft was not tried." error={trial.error} />
      <div role="status" className="flex flex-col gap-3">
        {trial.data && (
          <TrialResult
            walletId={walletId}
            simulation={trial.data.simulation}
            stale={tried !== JSON.stringify(toPolicy(form.values))}
          />
        )}
      </div>
    </Section>
  );
}
