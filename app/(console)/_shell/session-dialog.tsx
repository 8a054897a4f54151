"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { CodeForm } from "#app/(auth)/sign-in/code-form.tsx";
import { needsCode, signInPerson } from "#app/(auth)/sign-in-person.ts";
import type { ShownPerson } from "#app/(console)/_shell/viewer.ts";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPCClient } from "#components/trpc.tsx";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { TextLink } from "#components/ui/link.tsx";

/**
 * Covers the page when its session has ended, and lets the same person sign in again without losing unsaved input.
 */
export function SessionDialog({ viewer, onSignedIn }: { viewer: ShownPerson; onSignedIn: () => void }) {
  const { email } = viewer.user;
  const queries = useQueryClient();
  const client = useTRPCClient();
  const focus = useDialogFocus();
  const [password, setPassword] = useState<string>();
  const form = useForm<{ password: string }, { password: string }>({
    schema: () => import("#server/members/schema.ts").then(({ ConfirmPassword }) => ConfirmPassword),
    initial: { password: "" },
  });
  const signIn = useMutation({
    mutationFn: signInPerson,
    onSuccess: goOn,
    onError: (error, credentials) => needsCode(error) && setPassword(credentials.password),
  });

  /** Switches the new session to the page's account, because it starts in any of the person's accounts. */
  async function goOn() {
    const { accountId } = await client.me.read.query();
    if (accountId !== viewer.account.id)
      await client.me.accounts.switch.mutate({ accountId: viewer.account.id });
    onSignedIn();
    await queries.invalidateQueries();
  }

  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-sunken" />
        <Dialog.Content
          {...focus}
          className="fixed inset-x-2 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-md border bg-raised p-4 shadow-float outline-none"
        >
          <div className="flex flex-col gap-1">
            <Dialog.Title className="font-semibold text-16">Your session has ended</Dialog.Title>
            <Dialog.Description className="break-words text-muted">
              Your input is kept. Sign in again as {email} to go on.
            </Dialog.Description>
          </div>
          {password === undefined ? (
            <PageForm
              submitLabel="Sign in"
              form={form}
              pending={signIn.isPending || signIn.isSuccess}
              error={needsCode(signIn.error) ? null : signIn.error}
              failed="You are not signed in."
              onSubmit={(input) => signIn.mutate({ email, ...input })}
            >
              <TextField
                label="Password"
                type="password"
                autoComplete="current-password"
                {...form.field("password")}
              />
            </PageForm>
          ) : (
            <CodeForm
              credentials={{ email, password }}
              onSignedIn={goOn}
              onBack={() => setPassword(undefined)}
            />
          )}
          <TextLink href={routes.signIn()} className="self-start text-13">
            Leave this page
          </TextLink>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
