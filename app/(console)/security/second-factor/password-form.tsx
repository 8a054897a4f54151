"use client";

import { useMutation } from "@tanstack/react-query";
import type { Enrolment } from "#app/(console)/security/second-factor/enrol-form.tsx";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";

/** The first step asks for the password, so that an unattended browser is not enough. */
export function PasswordForm({ onDone }: { onDone: (enrolment: Enrolment) => void }) {
  const trpc = useTRPC();
  const form = useForm<{ password: string }, { password: string }>({
    schema: () => import("#server/members/schema.ts").then(({ ConfirmPassword }) => ConfirmPassword),
    initial: { password: "" },
  });
  const begin = useMutation(trpc.me.secondFactor.begin.mutationOptions({ onSuccess: onDone }));
  return (
    <PageForm
      submitLabel="Continue"
      form={form}
      pending={begin.isPending}
      error={begin.error}
      failed="No second factor was set up."
      onSubmit={(input) => begin.mutate(input)}
    >
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus
        {...form.field("password")}
      />
    </PageForm>
  );
}
