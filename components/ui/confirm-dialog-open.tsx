"use client";

import { AlertDialog } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { scrim } from "#components/ui/dialog-open.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Input } from "#components/ui/input.tsx";
import { plainName } from "#components/ui/plain-name.ts";

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question, with the name of the resource: `Revoke “Backend”?` */
  title: string;
  /** The exact consequences, with numbers and names. */
  children: ReactNode;
  /** The verb of the button that opened the dialog: `Revoke`. */
  action: string;
  /** The label of the other button, if "Cancel" could be mistaken for the action. */
  dismiss?: string;
  danger?: boolean;
  /** The name that the person must type first, for a large and permanent loss. */
  typedName?: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
};

/** The dialog behind `ConfirmDialog`. */
export function OpenConfirmDialog({ open, onOpenChange, ...props }: ConfirmDialogProps) {
  const focus = useDialogFocus();
  return (
    // While the action runs, the dialog stays, since it shows a failure.
    <AlertDialog.Root open={open} onOpenChange={(next) => !props.pending && onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={scrim} />
        <AlertDialog.Content
          aria-describedby={undefined}
          {...focus}
          className="fixed inset-x-2 top-1/2 z-40 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 animate-appear flex-col rounded-md border bg-raised shadow-float outline-none"
        >
          <Body {...props} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Body({
  title,
  children,
  action,
  dismiss = "Cancel",
  danger = true,
  typedName,
  pending,
  error,
  onConfirm,
}: Omit<ConfirmDialogProps, "open" | "onOpenChange">) {
  const [typed, setTyped] = useState("");
  // The caller's error may be of an earlier action.
  const [confirmed, setConfirmed] = useState(false);
  const inputId = useId();
  return (
    <form
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        if (pending) return;
        setConfirmed(true);
        onConfirm();
      }}
    >
      <AlertDialog.Title className="break-words p-4 pb-0 font-semibold text-16">
        {plainName(title)}
      </AlertDialog.Title>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto break-words p-4">
        {children}
        {typedName !== undefined && (
          <div className="flex flex-col gap-1">
            <label htmlFor={inputId}>
              Type <strong className="font-semibold">{typedName}</strong> to confirm
            </label>
            <Input
              id={inputId}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        <ErrorNotice what={`${action} did not succeed.`} error={confirmed && error} />
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">
        <AlertDialog.Cancel asChild>
          <Button>{dismiss}</Button>
        </AlertDialog.Cancel>
        <Button
          type="submit"
          variant={danger ? "danger" : "primary"}
          pending={pending}
          disabled={typedName !== undefined && typed !== typedName}
        >
          {action}
        </Button>
      </footer>
    </form>
  );
}
