"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { routes } from "#components/routes.ts";
import { expectNoSession, useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";

/** Returns `ask()`, which opens a dialog to leave the account, and that dialog. */
export function useLeaving() {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const leave = useMutation(
    trpc.account.leave.mutationOptions({
      onMutate: () => expectNoSession(),
      onError: () => expectNoSession(false),
      onSuccess: () => window.location.assign(routes.signIn()),
    }),
  );
  return {
    ask: () => setOpen(true),
    dialog: (
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Leave this account?"
        action="Leave"
        danger
        pending={leave.isPending || leave.isSuccess}
        error={leave.error}
        onConfirm={() => leave.mutate({})}
      >
        You can do nothing here from this moment, and every key that you made is revoked with everything below
        it. Only an owner can invite you back.
      </ConfirmDialog>
    ),
  };
}
