"use client";

import { useState } from "react";
import type { BulkAction } from "#app/(console)/runs/bulk/queries.ts";
import type { Run } from "#app/(console)/runs/queries.ts";
import { useTRPCClient } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";

/** What has become of a run: the one that a retry has made, or why nothing was done. */
export type Outcome = { newRunId: string | null; problem: string | null };

/** As many as one call takes. */
const AT_ONCE = 50;

/** Does one thing with many runs, fifty with a call; answers what has become of each. */
export function useBulk(action: BulkAction) {
  const client = useTRPCClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [busy, setBusy] = useState(false);

  async function start(runs: readonly Run[]) {
    setBusy(true);
    for (let at = 0; at < runs.length; at += AT_ONCE) {
      const runIds = runs.slice(at, at + AT_ONCE).map(({ id }) => id);
      const done = await changeSome(runIds);
      setOutcomes((before) => new Map([...before, ...done]));
    }
    setBusy(false);
  }

  async function changeSome(runIds: string[]): Promise<[string, Outcome][]> {
    try {
      const { results } = await client.runs.bulk.mutate({ action, runIds, retryFrom: "failedStep" });
      return results.map(({ runId, newRunId, error }) => [
        runId,
        { newRunId, problem: error?.message ?? null },
      ]);
    } catch (reason) {
      // The call itself was refused, or its answer is lost.
      const problem = readProblem(reason).message;
      return runIds.map((runId) => [runId, { newRunId: null, problem }]);
    }
  }

  return { outcomes, busy, start };
}
