"use client";

import { lazy, type ReactNode, Suspense } from "react";

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  /** For content that is shown only once: only its own buttons close the dialog. */
  persistent?: boolean;
  children?: ReactNode;
};

const load = () => import("#components/ui/dialog-open.tsx");
// Loaded with the page, not when a secret is to be shown: after a deployment the server may no longer have this file.
if (typeof window !== "undefined") load().catch(() => {});
const OpenDialog = lazy(() => load().then(({ OpenDialog }) => ({ default: OpenDialog })));

/**
 * A floating panel over the page, for content without an address (otherwise use `SideModal`):
 * `<Dialog open={open} onOpenChange={setOpen} title="Scan the code">…</Dialog>`. It traps the focus and returns it.
 */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <OpenDialog {...props} />
    </Suspense>
  );
}
