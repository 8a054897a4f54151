"use client";

import { lazy, Suspense } from "react";
import type { DialogProps } from "#components/ui/dialog-open.tsx";

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
