"use client";

import { lazy, type ReactNode, Suspense } from "react";

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  /** For what is shown once: it closes by its own buttons only. */
  persistent?: boolean;
  children?: ReactNode;
};

const load = () => import("#components/ui/dialog-open.tsx");
// With the page, not with the secret that is to be shown once: a server replaced meanwhile has no such file any more.
if (typeof window !== "undefined") load().catch(() => {});
const OpenDialog = lazy(() => load().then(({ OpenDialog }) => ({ default: OpenDialog })));

/**
 * A floating panel over the page, for what has no address of its own (else use `SideModal`):
 * `<Dialog open={open} onOpenChange={setOpen} title="Scan the code">…</Dialog>`. Focus goes in, stays, and returns.
 */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <OpenDialog {...props} />
    </Suspense>
  );
}
