"use client";

import { lazy, type ReactNode, Suspense, useRef } from "react";

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question, with the name of the resource: `Revoke “Backend”?` */
  title: string;
  /** Exactly what will happen, with numbers and names. */
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

const OpenConfirmDialog = lazy(() =>
  import("#components/ui/confirm-dialog-open.tsx").then(({ OpenConfirmDialog }) => ({
    default: OpenConfirmDialog,
  })),
);

/**
 * Asks for confirmation before a grave action; loads when it first opens. The caller closes it when the action
 * succeeds; a failure is shown inside: `<ConfirmDialog title="Revoke “Backend”?" action="Revoke" open={…}
 * onOpenChange={…} pending={…} error={…} onConfirm={…}>`
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const used = useRef(false);
  used.current ||= props.open;
  if (!used.current) return null;
  return (
    <Suspense>
      <OpenConfirmDialog {...props} />
    </Suspense>
  );
}
