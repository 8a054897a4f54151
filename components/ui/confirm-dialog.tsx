"use client";

import { lazy, Suspense, useRef } from "react";
import type { ConfirmDialogProps } from "#components/ui/confirm-dialog-open.tsx";

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
