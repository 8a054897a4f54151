"use client";

import { useMutation } from "@tanstack/react-query";
import { signInPerson } from "#app/(auth)/sign-in-person.ts";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";

export type Credentials = { email: string; password: string; invitation?: string | undefined };

/** The second step of signing in. */
export function CodeForm({
  credentials,
  onSignedIn,
  onBack,
}: {
  credentials: Credentials;
  onSignedIn: () => void;
  onBack: () => void;
}) {
  const form = useForm<{ code: string }, { code: string }>({
    schema: () => import("#server/members/schema.ts").then(({ ConfirmCode }) => ConfirmCode),
    initial: { code: "" },
  });
  const signIn = useMutation({
    mutationFn: ({ code }: { code: string }) => signInPerson({ ...credentials, code }),
    onSuccess: onSignedIn,
  });
  return (
    <>
      <div>
        <h1 className="font-semibold text-20">Second factor</h1>
        <p className="mt-0.5 break-words text-muted">{credentials.email}</p>
      </div>
      <PageForm
        submitLabel="Sign in"
        form={form}
        pending={signIn.isPending || signIn.isSuccess}
        error={signIn.error}
        failed="You are not signed in."
        onSubmit={(input) => signIn.mutate(input)}
      >
        <TextField
          label="Code"
          hint="The six digits of your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
          {...form.field("code")}
        />
      </PageForm>
      <Button variant="ghost" className="self-start" onClick={onBack}>
        Start again
      </Button>
    </>
  );
}
