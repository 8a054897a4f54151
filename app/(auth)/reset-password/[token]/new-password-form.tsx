"use client";

import { useMutation } from "@tanstack/react-query";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { TextLink } from "#components/ui/link.tsx";

type Chosen = { token: string; newPassword: string };

export function NewPasswordForm({ token }: { token: string }) {
  const trpc = useTRPC();
  const form = useForm<Chosen, Chosen>({
    schema: () => import("#server/members/schema.ts").then(({ ResetPassword }) => ResetPassword),
    initial: { token, newPassword: "" },
  });
  const choose = useMutation(trpc.passwordReset.choose.mutationOptions());
  if (choose.isSuccess)
    return (
      <p role="status">
        Your password is changed, and you are signed out everywhere.{" "}
        <TextLink href={routes.signIn()}>Go to sign-in</TextLink>
      </p>
    );
  return (
    <PageForm
      submitLabel="Save password"
      form={form}
      pending={choose.isPending}
      error={choose.error}
      failed="Your password is still the old one."
      onSubmit={(input) => choose.mutate(input)}
    >
      <TextField
        label="New password"
        type="password"
        hint="At least 12 characters; a few words are easier than symbols."
        autoComplete="new-password"
        autoFocus
        {...form.field("newPassword")}
      />
    </PageForm>
  );
}
