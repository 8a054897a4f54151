"use client";

import { lazy, Suspense } from "react";
import type { Approval } from "#app/(console)/approvals/words.ts";
import type { Selection } from "#components/table/use-selection.ts";

// Loaded with the first selected approval.
const DecideManyBar = lazy(() =>
  import("#app/(console)/approvals/decide-many-bar.tsx").then(({ DecideManyBar }) => ({
    default: DecideManyBar,
  })),
);

/** Approves or rejects the selected approvals, each by its own hash. */
export function DecideMany({ selection }: { selection: Selection<Approval> }) {
  if (selection.chosen.size === 0) return null;
  return (
    <Suspense>
      <DecideManyBar selection={selection} />
    </Suspense>
  );
}
