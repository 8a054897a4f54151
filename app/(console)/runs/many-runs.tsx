"use client";

import { lazy, Suspense } from "react";
import type { Run } from "#app/(console)/runs/queries.ts";
import type { Selection } from "#components/table/use-selection.ts";

// Loaded with the first selected run.
const ManyRunsBar = lazy(() =>
  import("#app/(console)/runs/many-runs-bar.tsx").then(({ ManyRunsBar }) => ({ default: ManyRunsBar })),
);

/** Cancels, retries and forgets the selected runs, by one call for up to fifty. */
export function ManyRuns({ selection }: { selection: Selection<Run> }) {
  if (selection.chosen.size === 0) return null;
  return (
    <Suspense>
      <ManyRunsBar selection={selection} />
    </Suspense>
  );
}
