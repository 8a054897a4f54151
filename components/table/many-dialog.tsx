"use client";

import { lazy, type ReactNode, Suspense } from "react";

/** The outcome for one of many items; `problem` says why nothing was done. */
export type Outcome = { problem: string | null; more?: ReactNode };

export type ManyDialogProps = {
  /** Names the action and the number of items: `Revoke 3 keys`. */
  title: string;
  verb: string;
  danger?: boolean;
  /** The consequence for each item. */
  children: ReactNode;
  items: readonly { id: string; name: string; note?: ReactNode }[];
  /** Executes the action and reports the outcome of each item as soon as it is known. */
  act: (ids: string[], report: (id: string, outcome: Outcome) => void) => Promise<void>;
  onClose: () => void;
};

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
