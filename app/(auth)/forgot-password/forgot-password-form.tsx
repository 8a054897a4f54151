"use client";

import { useMutation } from "@tanstack/react-query";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";

type Asked = { email: string };

/** Asks for a reset link; the confirmation does not reveal whether the e-mail address has signed up. */
export function ForgotPasswordForm() {
  const trpc = useTRPC();
  const form = useForm<Asked, Asked>({
    schema: () => import("#server/members/schema.ts").then(({ AskPasswordReset }) => AskPasswordReset),
    initial: { email: "" },
  });
  const ask = useMutation(trpc.passwordReset.ask.mutationOptions());
  if (ask.isSuccess)
    return (
      <p role="status" className="break-words">
        If somebody signs in as {ask.variables.email}, they will get a link to choose a new password. It is
        good for half an hour.
      </p>
    );
  return (
    <PageForm
      submitLabel="Mail me a link"
      form={form}
      pending={ask.isPending}
      error={ask.error}
      failed="No link was sent."
      onSubmit={(input) => ask.mutate(input)}
    >
      <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.field("email")} />
    </PageForm>
  );
}
