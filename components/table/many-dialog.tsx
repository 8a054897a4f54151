"use client";

import { lazy, Suspense } from "react";
import type { ManyDialogProps } from "#components/table/many-dialog-open.tsx";

const OpenManyDialog = lazy(() =>
  import("#components/table/many-dialog-open.tsx").then(({ OpenManyDialog }) => ({
    default: OpenManyDialog,
  })),
);

/** Executes one action on many items: first lists them all and asks, then shows the outcome of each. */
export function ManyDialog(props: ManyDialogProps) {
  return (
    <Suspense>
      <OpenManyDialog {...props} />
    </Suspense>
  );
}
