"use client";

import { lazy, type ReactNode, Suspense } from "react";

/** What has become of one of many; `problem` is why nothing was done. */
export type Outcome = { problem: string | null; more?: ReactNode };

export type ManyDialogProps = {
  /** Names what will be done and with how many: `Revoke 3 keys`. */
  title: string;
  verb: string;
  danger?: boolean;
  /** What will happen to each. */
  children: ReactNode;
  items: readonly { id: string; name: string; note?: ReactNode }[];
  /** Does it, and reports of each as soon as it is known. */
  act: (ids: string[], report: (id: string, outcome: Outcome) => void) => Promise<void>;
  onClose: () => void;
};

const OpenManyDialog = lazy(() =>
  import("#components/table/many-dialog-open.tsx").then(({ OpenManyDialog }) => ({
    default: OpenManyDialog,
  })),
);

/** Does one thing with many: shows them all before anything happens, and then what has become of each. */
export function ManyDialog(props: ManyDialogProps) {
  return (
    <Suspense>
      <OpenManyDialog {...props} />
    </Suspense>
  );
}
