"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

/** Asks for a second factor's code if the person has one, otherwise for the password. */
export function ProofDialog({ onAnswer }: { onAnswer: (proved: boolean) => void }) {
  const trpc = useTRPC();
  const { data, error } = useQuery({ ...trpc.me.read.queryOptions(), staleTime: 0 });
  return (
    <Dialog
      open
      onOpenChange={() => onAnswer(false)}
      title="Confirm that it is you"
      description="This moves money, creates keys or changes permissions. You will not be asked again here for 15 minutes."
    >
      <ErrorNotice what="Nothing was done." error={error} />
      {data ? (
        <ProofForm secondFactor={data.secondFactor} onProved={() => onAnswer(true)} />
      ) : (
        !error && <Skeleton className="h-24 w-full" />
      )}
    </Dialog>
  );
}

function ProofForm({ secondFactor, onProved }: { secondFactor: boolean; onProved: () => void }) {
  const trpc = useTRPC();
  const prove = useMutation(trpc.me.prove.mutationOptions({ onSuccess: onProved }));
  const state = {
    submitLabel: "Confirm",
    pending: prove.isPending || prove.isSuccess,
    error: prove.error,
    failed: "Nothing was done.",
  };
  const code = useForm<{ code: string }, { code: string }>({
    schema: () => import("#server/members/schema.ts").then(({ ConfirmCode }) => ConfirmCode),
    initial: { code: "" },
  });
  const password = useForm<{ password: string }, { password: string }>({
    schema: () => import("#server/members/schema.ts").then(({ ConfirmPassword }) => ConfirmPassword),
    initial: { password: "" },
  });
  if (secondFactor)
    return (
      <PageForm {...state} form={code} onSubmit={(input) => prove.mutate(input)}>
        <TextField
          label="Code"
          hint="The six digits of your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
          {...code.field("code")}
        />
      </PageForm>
    );
  return (
    <PageForm {...state} form={password} onSubmit={(input) => prove.mutate(input)}>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus
        {...password.field("password")}
      />
    </PageForm>
  );
}
