"use client";

import { useState } from "react";
import type { BulkAction } from "#app/(console)/runs/bulk/queries.ts";
import type { Run } from "#app/(console)/runs/queries.ts";
import { useTRPCClient } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";

/** Null: it was done. */
type Outcome = string | null;

/** Does one thing with many runs, one after the other; answers what has become of each. */
export function useBulk(action: BulkAction) {
  const client = useTRPCClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [busy, setBusy] = useState(false);

  async function start(runs: readonly Run[]) {
    setBusy(true);
    for (const { id, error } of runs) {
      const done =
        action === "cancel"
          ? client.runs.cancel.mutate({ runId: id })
          : client.runs.retry.mutate({ runId: id, ...(error?.step && { fromStep: error.step }) });
      const outcome = await done.then(
        () => null,
        (reason: unknown) => readProblem(reason).message,
      );
      setOutcomes((before) => new Map(before).set(id, outcome));
    }
    setBusy(false);
  }

  return { outcomes, busy, start };
}
