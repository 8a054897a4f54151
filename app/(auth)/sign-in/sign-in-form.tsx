"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CodeForm, type Credentials } from "#app/(auth)/sign-in/code-form.tsx";
import { needsCode, signInPerson } from "#app/(auth)/sign-in-person.ts";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";

/** Asks for e-mail and password, then for the code of a second factor; an invitation is accepted with the sign-in. */
export function SignInForm({
  next,
  invited,
}: {
  next: string;
  invited?: { email: string; invitation: string };
}) {
  const [checked, setChecked] = useState<Credentials | null>(null);
  const form = useForm<Credentials, Credentials>({
    schema: () => import("#server/members/schema.ts").then(({ SignIn }) => SignIn),
    initial: { email: "", password: "", ...invited },
  });
  const signIn = useMutation({
    mutationFn: signInPerson,
    onSuccess: goOn,
    onError(error, credentials) {
      if (needsCode(error)) setChecked(credentials);
    },
  });

  /** A new document, so that no state of a previously signed-in person remains. */
  function goOn() {
    window.location.assign(next);
  }

  if (checked) return <CodeForm credentials={checked} onSignedIn={goOn} onBack={() => setChecked(null)} />;
  return (
    <>
      {!invited && <h1 className="font-semibold text-20">Sign in</h1>}
      <PageForm
        submitLabel={invited ? "Sign in and join" : "Sign in"}
        form={form}
        pending={signIn.isPending || signIn.isSuccess}
        error={needsCode(signIn.error) ? null : signIn.error}
        failed="You are not signed in."
        onSubmit={(credentials) => signIn.mutate(credentials)}
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus={!invited}
          {...form.field("email")}
        />
        <TextField
          label="Password"
          type="password"
          autoFocus={Boolean(invited)}
          autoComplete="current-password"
          {...form.field("password")}
        />
      </PageForm>
      <p>
        <TextLink href={routes.forgotPassword()}>Forgot your password?</TextLink>
      </p>
      {!invited && (
        <p className="text-muted">
          New here?{" "}
          <TextLink href={routes.signUp(next === routes.overview() ? {} : { next })}>
            Create an account
          </TextLink>
        </p>
      )}
    </>
  );
}
