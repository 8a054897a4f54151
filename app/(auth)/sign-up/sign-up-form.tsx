"use client";

import { useMutation } from "@tanstack/react-query";
import { signInPerson } from "#app/(auth)/sign-in-person.ts";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { TextLink } from "#components/ui/link.tsx";

type NewPerson = { name: string; email: string; password: string; invitation?: string | undefined };

/** Asks for name, e-mail and password; an invited person joins that account instead of getting a new one. */
export function SignUpForm({
  next,
  invited,
}: {
  next: string;
  invited?: { email: string; invitation: string };
}) {
  const trpc = useTRPC();
  const form = useForm<NewPerson, NewPerson>({
    schema: () => import("#server/members/schema.ts").then(({ SignUp }) => SignUp),
    initial: { name: "", email: "", password: "", ...invited },
  });
  const enter = useMutation({
    mutationFn: signInPerson,
    onSuccess: () => window.location.assign(next),
    // Only signing in failed: the account exists.
    onError: () => window.location.assign(routes.signIn({ next })),
  });
  const signUp = useMutation(
    trpc.signUp.mutationOptions({ onSuccess: (_, { email, password }) => enter.mutate({ email, password }) }),
  );
  return (
    <>
      {!invited && <h1 className="font-semibold text-20">Sign up</h1>}
      <PageForm
        submitLabel={invited ? "Sign up and join" : "Sign up"}
        form={form}
        pending={signUp.isPending || signUp.isSuccess}
        error={signUp.error}
        failed="No account was created."
        onSubmit={(person) => signUp.mutate(person)}
      >
        <TextField label="Name" autoComplete="name" autoFocus {...form.field("name")} />
        <TextField label="Email" type="email" autoComplete="username" {...form.field("email")} />
        <TextField
          label="Password"
          type="password"
          hint="At least 12 characters; a few words are easier than symbols."
          autoComplete="new-password"
          {...form.field("password")}
        />
      </PageForm>
      {!invited && (
        <p className="text-muted">
          Have an account?{" "}
          <TextLink href={routes.signIn(next === routes.overview() ? {} : { next })}>Go to sign-in</TextLink>
        </p>
      )}
    </>
  );
}
