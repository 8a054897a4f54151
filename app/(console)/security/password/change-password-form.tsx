"use client";

import { useMutation } from "@tanstack/react-query";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";

type Passwords = { password: string; newPassword: string };

export function ChangePasswordForm() {
  const trpc = useTRPC();
  const router = useRouter();
  const form = useForm<Passwords, Passwords>({
    schema: () => import("#server/members/schema.ts").then(({ ChangePassword }) => ChangePassword),
    initial: { password: "", newPassword: "" },
  });
  const change = useMutation(
    trpc.me.password.change.mutationOptions({
      onSuccess() {
        toast("Password changed. You are signed out everywhere else.");
        router.push(routes.security());
      },
    }),
  );
  return (
    <div className="max-w-100">
      <PageForm
        submitLabel="Change password"
        form={form}
        pending={change.isPending || change.isSuccess}
        error={change.error}
        failed="Your password is still the old one."
        onSubmit={(input) => change.mutate(input)}
      >
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          autoFocus
          {...form.field("password")}
        />
        <TextField
          label="New password"
          type="password"
          hint="At least 12 characters; a few words are easier than symbols."
          autoComplete="new-password"
          {...form.field("newPassword")}
        />
      </PageForm>
    </div>
  );
}
