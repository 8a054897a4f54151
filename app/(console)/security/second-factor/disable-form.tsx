"use client";

import { useMutation } from "@tanstack/react-query";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";

type Proof = { password: string; code: string };

/** Turns the second factor off; asks for the password and a code. */
export function DisableForm() {
  const trpc = useTRPC();
  const router = useRouter();
  const form = useForm<Proof, Proof>({
    schema: () => import("#server/members/schema.ts").then(({ ConfirmBoth }) => ConfirmBoth),
    initial: { password: "", code: "" },
  });
  const disable = useMutation(
    trpc.me.secondFactor.disable.mutationOptions({
      onSuccess() {
        toast("Second factor turned off.");
        router.push(routes.security());
      },
    }),
  );
  return (
    <PageForm
      submitLabel="Turn off"
      form={form}
      pending={disable.isPending || disable.isSuccess}
      error={disable.error}
      failed="The second factor is still on."
      onSubmit={(input) => disable.mutate(input)}
    >
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus
        {...form.field("password")}
      />
      <TextField
        label="Code"
        hint="The six digits of your authenticator app, or a recovery code."
        autoComplete="one-time-code"
        spellCheck={false}
        {...form.field("code")}
      />
    </PageForm>
  );
}
