"use client";

import { lazy, type ReactNode, Suspense, useRef } from "react";

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question with the name of the thing: `Revoke “Backend”?` */
  title: string;
  /** Exactly what will happen, in numbers and names. */
  children: ReactNode;
  /** The verb of the button that opened the dialog: `Revoke`. */
  action: string;
  /** What the other button says, where "Cancel" would be taken for the act. */
  dismiss?: string;
  danger?: boolean;
  /** The name to be typed first, where much is lost for good. */
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
 * Asks before a grave act; loaded when it is first opened. The caller closes it when the act succeeded, a failure is
 * said inside: `<ConfirmDialog title="Revoke “Backend”?" action="Revoke" open={…} onOpenChange={…} pending={…} error={…} onConfirm={…}>`
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
