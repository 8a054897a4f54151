"use client";

import { useState } from "react";
import type { BulkAction } from "#app/(console)/runs/bulk/queries.ts";
import type { Run } from "#app/(console)/runs/queries.ts";
import { useTRPCClient } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";

/** The outcome for a run: the id of the new run after a retry, or the reason why nothing was done. */
export type Outcome = { newRunId: string | null; problem: string | null };

/** The maximum of runs in one call. */
const AT_ONCE = 50;

/** Executes an action on many runs, fifty per call, and reports the outcome of each. */
export async function changeRuns(
  client: ReturnType<typeof useTRPCClient>,
  { action, runIds }: { action: BulkAction; runIds: readonly string[] },
  report: (runId: string, outcome: Outcome) => void,
): Promise<void> {
  for (let at = 0; at < runIds.length; at += AT_ONCE) {
    const some = runIds.slice(at, at + AT_ONCE);
    try {
      const { results } = await client.runs.bulk.mutate({ action, runIds: some, retryFrom: "failedStep" });
      for (const { runId, newRunId, error } of results)
        report(runId, { newRunId, problem: error?.message ?? null });
    } catch (reason) {
      // The call itself was refused, or its response was lost.
      const problem = readProblem(reason).message;
      for (const runId of some) report(runId, { newRunId: null, problem });
    }
  }
}

/** Executes an action on many runs; returns the outcome of each. */
export function useBulk(action: BulkAction) {
  const client = useTRPCClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [busy, setBusy] = useState(false);

  async function start(runs: readonly Run[]) {
    setBusy(true);
    await changeRuns(client, { action, runIds: runs.map(({ id }) => id) }, (id, outcome) =>
      setOutcomes((before) => new Map(before).set(id, outcome)),
    );
    setBusy(false);
  }

  return { outcomes, busy, start };
}
