"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { endSession } from "#app/(console)/_shell/end-session.ts";
import { expectNoSession, useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Section } from "#components/ui/section.tsx";

/** Deletes the account for good, once its owner has typed its name. */
export function AccountDeletion() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.account.read.queryOptions({}));
  const [open, setOpen] = useState(false);
  const remove = useMutation(
    trpc.account.delete.mutationOptions({
      onMutate: () => expectNoSession(),
      onError: () => expectNoSession(false),
      onSuccess: endSession,
    }),
  );
  return (
    <Section
      title="Delete account"
      description="For good: all access ends at once, and what is stored is erased."
      action={
        data && (
          <Button variant="danger" onClick={() => setOpen(true)}>
            Delete account
          </Button>
        )
      }
    >
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete the account “${data?.account.name}”?`}
        action="Delete account"
        danger
        typedName={data?.account.name ?? ""}
        pending={remove.isPending || remove.isSuccess}
        error={remove.error}
        onConfirm={() => remove.mutate({})}
      >
        <p>
          Nobody can bring it back. Every key ends, every member loses access, and files, connections, runs,
          memories and everything else that is stored are erased within the hour.
        </p>
        <p>Credits that are left, and whatever the account’s wallets hold, are lost: send it away first.</p>
        <p>A managed database has to be removed before, and work under way has to end.</p>
      </ConfirmDialog>
    </Section>
  );
}
